import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { seedToken } from '#test/support/seed.js';
import { pathWithCurl } from '../oauth/support/path-with-curl.js';
import { fileBlock } from './guide.js';
import { findProgram, inFolder, run, save } from './languages.js';

const desk = deskForFile();
const path = pathWithCurl(mkdtempSync(join(tmpdir(), 'guide-commands-')));

async function shown(file: string): Promise<Record<string, Record<string, unknown>>> {
  const script = fileBlock(file).replaceAll('support@example.com', desk.account.mailbox.email);
  const environment = { PATH: path, DESKWIRE: desk.base, TOKEN: desk.account.owner.token };
  const text = await inFolder((folder) => run({ program: '/bin/sh', args: ['-c', script], folder, environment }));
  return JSON.parse(text) as Record<string, Record<string, unknown>>;
}

describe('the commands of the guides', () => {
  it('make the first request, webhook and ticket, as docs/getting-started.md shows them', async () => {
    expect((await shown('first-request.sh'))['agent']).toMatchObject({ email: desk.account.owner.email });
    expect((await shown('first-webhook.sh'))['webhook']).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect((await shown('first-ticket.sh'))['ticket']).toMatchObject({ title: 'The printer is on fire' });
  });

  it('register a webhook as docs/webhooks.md shows it', async () => {
    expect((await shown('register.sh'))['webhook']).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  });
});

const PROGRAMS = {
  JavaScript: {
    file: 'own-changes.mjs',
    program: process.execPath,
    words: (headers: string) => [
      '--input-type=module',
      '-e',
      `import { isOwn, ownId } from './own-changes.mjs'; console.log(isOwn(${headers}, await ownId()));`,
    ],
  },
  Python: {
    file: 'own_changes.py',
    program: findProgram('python3'),
    words: (headers: string) => ['-c', `from own_changes import is_own, own_id; print(is_own(${headers}, own_id()))`],
  },
};

describe.each(Object.entries(PROGRAMS))('the code that recognises own changes, in %s', (_name, one) => {
  it.skipIf(one.program === null)('tells them from those of others', async () => {
    const token = await seedToken(desk.sql, {
      accountId: desk.account.id,
      agentId: desk.account.owner.id,
      applicationId: null,
    });
    const receiver = await desk.receiver();
    await desk.worker();
    await desk.webhook('note_added', receiver.url);
    const { number } = await startTicket(desk);
    const note = (as: string, body: string) =>
      desk.client(as).post(`/v1/tickets/${number}/messages`, { body, note: true });
    await note(token, 'own');
    await note(desk.account.owner.token, 'of another');
    const requests = await receiver.received(2);
    const verdicts = await Promise.all(
      requests.map(({ headers, json }) =>
        inFolder(async (folder) => {
          save(folder, one.file);
          const environment = { DESKWIRE: desk.base, TOKEN: token };
          const args = one.words(JSON.stringify(headers));
          const verdict = await run({ program: one.program!, args, folder, environment });
          return [json['body'], verdict.trim().toLowerCase()];
        }),
      ),
    );

    expect(Object.fromEntries(verdicts)).toEqual({ own: 'true', 'of another': 'false' });
  });
});
