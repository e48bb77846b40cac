import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathWithCurl } from '../oauth/support/path-with-curl.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import type { Receiver } from '#test/support/receiver.js';

const desk = deskForFile();
const folder = mkdtempSync(join(tmpdir(), 'readme-'));
let receiver: Receiver;
beforeAll(async () => {
  receiver = await desk.receiver();
  await desk.worker();
});

/** The tour’s commands, without those that start the product. */
function commands(): string {
  const tour = readFileSync('README.md', 'utf8').split('## Try it')[1] ?? '';
  const blocks = [...tour.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return blocks
    .join('\n')
    .replaceAll('support@example.com', desk.account.mailbox.email)
    .replaceAll('http://127.0.0.1:4000/', receiver.url);
}

describe('the tour of the README', () => {
  it('has commands that run unchanged and print the shown output', async () => {
    mkdirSync(join(folder, '.data'));
    const firstRun = { base_url: desk.base, token: desk.account.owner.token };
    writeFileSync(join(folder, '.data/first-run.json'), JSON.stringify(firstRun));
    const { stdout } = await promisify(execFile)('sh', ['-c', `set -eu\n${commands()}`], {
      cwd: folder,
      env: { PATH: pathWithCurl(folder) },
    });

    expect(stdout.match(/"secret":"whsec_/g)).toHaveLength(3);
    expect(stdout).toContain('"body":"Help is on its way."');
    expect(stdout).toContain('{"state":"closed"}');
    expect(stdout).toContain('{"deliveries":[');
  });
});
