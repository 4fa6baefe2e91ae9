// Runs the files of tests that are named, two at a time, with one browser for all of them.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";
import { launch } from "./stage.mjs";

const browser = await chromium.launchServer(launch);
const tests = spawn(process.execPath, ["--test", "--test-concurrency=2", ...process.argv.slice(2)], { stdio: "inherit", env: { ...process.env, STEMMA_BROWSER: browser.wsEndpoint() } });
tests.on("exit", async (code) => {
  await browser.close();
  process.exitCode = code ?? 1;
});
