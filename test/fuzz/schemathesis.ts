import { spawn, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startDesk } from '#test/support/desk.js';
import { SchemathesisTally } from './schemathesis-tally.js';

const HELP = `Runs all checks of schemathesis (https://schemathesis.io) against the product, on servers of its own. Ends with code 1 after a 5xx,
an answer off its schema, or too many refusals of requests that the OpenAPI document allows.

  pip install schemathesis                                     once; the command must be on PATH
  npm run schemathesis
  npm run schemathesis -- --seed 1 --max-examples 20           options of \`schemathesis run\`
`;

const SETTINGS = { RATE_LIMIT_PER_MINUTE: '1000000', OPEN_REQUESTS_PER_ADDRESS: '1000', LOG_LEVEL: 'error' };

const words = process.argv.slice(2);
if (words.includes('--help')) say(HELP.trimEnd());
else if (spawnSync('schemathesis', ['--version']).status !== 0) {
  say('schemathesis is not on PATH: pip install schemathesis');
  process.exitCode = 1;
} else process.exitCode = await runSchemathesis(words);

async function runSchemathesis(options: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  const desk = await startDesk({ settings: SETTINGS });
  try {
    const api = await desk.apiProcess(SETTINGS);
    const report = join(folder, 'report.ndjson');
    const authorization = `Authorization: Bearer ${desk.account.owner.token}`;
    const checks = ['--checks', 'all', '--continue-on-failure', '--report-ndjson-path', report];
    const args = [
      'run',
      `${api.base}/openapi.json`,
      '--header',
      authorization,
      '--include-path-regex',
      '^/v1/',
      ...checks,
      // A long poll takes up to 30 seconds.
      '--max-response-time',
      '60',
    ];
    const child = spawn('schemathesis', [...args, ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    await new Promise((resolve) => child.once('close', resolve));
    const tally = new SchemathesisTally();
    for await (const line of createInterface({ input: createReadStream(report) })) tally.add(line);
    say(tally.summary());
    return tally.hasPassed() ? 0 : 1;
  } finally {
    await desk.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
