// @module-tag long
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startAuthorizingProxy } from './support/authorizing-proxy.js';

/**
 * The folder with the packages `@modelcontextprotocol/conformance` (0.2.0-alpha.12) and `node` (22). They are not
 * installed with the product, which runs on an older Node.
 */
const FOLDER = process.env['MCP_CONFORMANCE'];
const NODE = path.join(FOLDER ?? '', 'node_modules/node/bin/node');
const SUITE = path.join(FOLDER ?? '', 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const isInstalled = FOLDER !== undefined && existsSync(NODE) && existsSync(SUITE);
describe.skipIf(!isInstalled)('the conformance suite of MCP, in the folder MCP_CONFORMANCE', () => {
  const desk = deskForFile();
  let proxy: Awaited<ReturnType<typeof startAuthorizingProxy>>;
  beforeAll(async () => {
    proxy = await startAuthorizingProxy(desk);
  });
  afterAll(() => proxy.stop());

  it.each(['2026-07-28', '2025-11-25'])(
    'finds no failure in revision %s that is not expected',
    async (revision) => {
      const failures = path.resolve(`test/mcp/conformance-${revision}.yml`);
      const run = ['server', '--url', `${proxy.base}/mcp`, '--requirements', revision, '--expected-failures', failures];

      expect(await runSuite(run)).toContain('Baseline check passed');
    },
    300_000,
  );
});

/** The end of its report says whether the failures are those of the file. */
function runSuite(run: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(NODE, [SUITE, ...run], { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout));
  });
}
