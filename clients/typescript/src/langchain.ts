import { DynamicStructuredTool } from "@langchain/core/tools";

import { definitions, type Client } from "./client.js";

/** The six tools for LangChain.js: model.bindTools(memoryTools(client)). */
export function memoryTools(client: Client): DynamicStructuredTool[] {
  return definitions.map(
    (d) =>
      new DynamicStructuredTool({
        name: d.name,
        description: d.description,
        schema: d.inputSchema as any,
        func: async (args: any, _manager: any, config: any) => {
          const answer = await client.tool(d.name, args, { signal: config?.signal });
          return typeof answer === "string" ? answer : JSON.stringify(answer);
        },
      }),
  );
}
