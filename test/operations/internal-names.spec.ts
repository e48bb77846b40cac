import { beforeAll, describe, expect, it } from 'vitest';
import type { AppProcess } from '#test/support/app-process.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

/** The first is an address of this machine, and the second does not exist. */
const NAMES = ['app.localhost', 'unknown.invalid'] as const;
const SENTENCE = 'the name could not be resolved to a public address';
const WITHIN = { withinMs: 25_000 };

const desk = deskForFile({ settings: { WEBHOOK_ALLOWED_NETWORKS: '', SMTP_URL: 'smtp://127.0.0.1:9' } });
let worker: AppProcess;
beforeAll(async () => {
  worker = await desk.worker({
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    // The IMAP server of the token addresses may be reached.
    MAIL_ALLOWED_NETWORKS: '127.0.0.1/32',
  });
});

const client = () => desk.client();

/** Posts a test event to the host, and returns what the attempt shows. */
async function attemptAt(host: string): Promise<Record<string, unknown>> {
  const { id } = await desk.webhook('ticket_started', `https://${host}/`);
  await client().post(`/v1/webhooks/${id}/test`);
  const delivery = await eventually(async () => {
    const found = (await client().get(`/v1/webhooks/${id}/deliveries`)).body.deliveries[0];
    return found?.attempt_count > 0 && found.id;
  }, WITHIN);
  const { error, error_detail, status } = (await client().get(`/v1/deliveries/${delivery}`)).body.delivery.attempts[0];
  return { error, error_detail, status };
}

/** Emails a reply through a server at the host, and returns why it waits. */
async function mailThrough(host: string): Promise<string> {
  const { id, name } = await addMailbox(desk);
  await client().put(`/v1/mailboxes/${id}/smtp`, { host, port: 2525, security: 'none' });
  const { number } = await startTicket(desk, { from: newEmail(), mailbox: name });
  const { body } = await client().post(`/v1/tickets/${number}/messages`, { body: 'Hello' });
  return eventually(
    async () => (await client().get(`/v1/messages/${body.message.id}`)).body.message.delivery_reason ?? undefined,
    WITHIN,
  );
}

/** Fetches mail with these settings, and returns why it fails. */
async function fetchWith(server: object): Promise<string> {
  const path = `/v1/mailboxes/${(await addMailbox(desk)).id}/imap`;
  const { status, text } = await client().put(path, { port: 143, security: 'none', username: 'support', ...server });
  if (status > 201) throw new Error(text);
  return eventually(async () => (await client().get(path)).body.imap.last_error ?? undefined, WITHIN);
}

describe('a worker in production', () => {
  it('does not tell an account whether a name is internal or unknown, whatever connects to it', async () => {
    for (const host of NAMES) {
      const tokens = { host: '127.0.0.1', client_id: 'desk', refresh_token: 'refresh' };
      const [attempt, mail, fetched, token] = await Promise.all([
        attemptAt(host),
        mailThrough(host),
        fetchWith({ host, password: 'secret' }),
        fetchWith({ ...tokens, token_url: `https://${host}/token` }),
      ]);

      expect(attempt).toEqual({ error: 'dns', error_detail: SENTENCE, status: null });
      expect(mail).toBe(`No connection to ${host}: ${SENTENCE}.`);
      expect([fetched, token]).toEqual([`${host}: ${SENTENCE}.`, `${host}: ${SENTENCE}.`]);
    }
  });

  it('logs the reason for the operator', async () => {
    await attemptAt('db.localhost');
    const line = await eventually(() => /.*"host":"db.localhost".*/.exec(worker.output())?.[0], WITHIN);

    expect(line).toContain('it is a loopback address');
  });
});
