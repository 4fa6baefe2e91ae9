import { jsonSchema, tool, type ToolSet } from "ai";

import { definitions, type Client } from "./client.js";

/** The six tools for the Vercel AI SDK: generateText({ tools: memoryTools(client), … }). */
export function memoryTools(client: Client): ToolSet {
  return Object.fromEntries(
    definitions.map((d) => [
      d.name,
      tool({
        description: d.description,
        inputSchema: jsonSchema(d.inputSchema as any),
        execute: (args: any, options: any) => client.tool(d.name, args, { signal: options?.abortSignal }),
      }),
    ]),
  ) as ToolSet;
}
