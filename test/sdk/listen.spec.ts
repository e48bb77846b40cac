import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { DIST } from '#test/support/app-process.js';
import { freePort } from '../../apps/launcher/src/ports.js';
import { type AccountDesk, newAccount } from '#test/support/account-desk.js';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';
import { verify } from '#test/support/receiver.js';
import { registerWebhook } from '#test/support/webhooks.js';
import { Listening } from './listening.js';

const desk = await startDesk();
const running: Listening[] = [];
afterEach(() => Promise.all(running.splice(0).map((one) => one.end('SIGKILL'))));
afterAll(() => desk.stop());

/** The command with the token of the account’s owner and a position of its own. */
function listenIn(here: AccountDesk, words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const environment = {
    DESKWIRE: desk.base,
    TOKEN: here.account.owner.token,
    XDG_STATE_HOME: join(tmpdir(), randomUUID()),
    ...more,
  };
  const one = new Listening(words, environment);
  running.push(one);
  return one;
}

const isListening = (one: Listening) => eventually(() => one.output.includes('Forwarding '), { withinMs: 20_000 });

/** An account whose command forwards to a receiver, from now on. */
async function listening(words: readonly string[] = []) {
  const [here, receiver] = [await newAccount(desk), await desk.receiver()];
  const state = { XDG_STATE_HOME: join(tmpdir(), randomUUID()) };
  const listen = (...others: string[]) =>
    listenIn(here, ['--forward', `${receiver.url}hooks`, ...words, ...others], state);
  return { here, receiver, listen };
}

const LIBRARY = new URL('libs/sdk/src/verify-webhook.js', DIST).href;

describe('deskwire listen', () => {
  it('forwards the events of the webhooks as a worker delivers them', async () => {
    const { here, receiver, listen } = await listening();
    const [delivered, worker] = [await desk.receiver(), await desk.worker()];
    const webhooks = [];
    for (const event of ['ticket_started', 'note_added'])
      webhooks.push(await registerWebhook(here.client(), event, delivered.url));
    await isListening(listen());
    const { number } = await startTicket(here, { subject: 'Größe 😀 \u2028' });
    await here.client().post(`/v1/tickets/${number}/messages`, { body: 'Seen.', note: true });
    const forwarded = await receiver.received(2);
    await delivered.received(2);
    await worker.stop();

    const { verifyWebhook } = await import(/* @vite-ignore */ LIBRARY);
    for (const [place, request] of forwarded.entries()) {
      const { id, secret, event } = webhooks[place]!;
      const twin = delivered.requests.find(({ headers }) => headers['webhook-event'] === event)!;
      expect(request.body).toBe(twin.body);
      expect(request.path).toBe('/hooks');
      const {
        host: _,
        'user-agent': agent,
        'webhook-signature': _s,
        'webhook-timestamp': _t,
        ...headers
      } = twin.headers;
      expect(request.headers).toMatchObject({
        ...headers,
        'webhook-endpoint': id,
        'user-agent': 'Deskwire-Webhooks/listen',
      });
      expect(agent).toMatch(/^Deskwire-Webhooks\//);
      verify(request, secret);
      expect(await verifyWebhook(request, { keys: secret })).toMatchObject({ kind: event, isTest: false, attempt: 1 });
    }
  });

  it('continues where it ended, and says what it forwarded', async () => {
    const { here, receiver, listen } = await listening(['--events', 'ticket_started']);
    const first = listen();
    await isListening(first);
    await startTicket(here);
    await receiver.received(1);
    expect(await first.end('SIGINT')).toBe(0);
    const { number } = await startTicket(here);
    const second = listen();
    await receiver.received(2);
    await eventually(() => second.output.includes(' 204 in '));

    expect(first.output).toContain('Forwarded 1 events: 1 accepted, 0 failed.');
    expect(second.output).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d ticket_started #${number} [\\w-]{36} 204 in \\d+ ms$`, 'm'),
    );
    expect(receiver.requests[1]!.json['number']).toBe(number);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(receiver.requests).toHaveLength(2);
  });

  it('waits while nothing listens at the address', async () => {
    const [here, port] = [await newAccount(desk), await freePort()];
    const one = listenIn(here, ['--forward', `http://localhost:${port}/`, '--events', 'ticket_started']);
    await isListening(one);
    const { number } = await startTicket(here);
    await eventually(() => one.output.includes('Start your server'));
    const arrived = new Promise<string>((resolve) => {
      const server = createServer((request, response) => {
        resolve(String(request.headers['webhook-event']));
        response.end();
        server.close();
      }).listen(port);
    });

    expect(await arrived).toBe('ticket_started');
    await eventually(() => one.output.includes(`#${number} `));
  });

  it('goes on after an event that is refused, and repeats it by its id or that of a delivery', async () => {
    const { here, receiver, listen } = await listening();
    receiver.reply(500, 204);
    const [elsewhere, worker] = [await desk.receiver(), await desk.worker()];
    const { id: webhook } = await registerWebhook(here.client(), 'ticket_started', elsewhere.url);
    const one = listen();
    await isListening(one);
    await startTicket(here);
    await startTicket(here);
    const [first] = await receiver.received(2);
    const id = String(first!.headers['webhook-id']);
    await eventually(() => one.output.includes(`${id} 500 in `));
    await one.end('SIGINT');
    const delivery = await eventually(async () => {
      const { deliveries } = (await here.client().get(`/v1/webhooks/${webhook}/deliveries`)).body;
      return deliveries.find((each: { event_id: string }) => each.event_id === id) as { id: string } | undefined;
    });

    for (const repeated of [id, delivery.id]) expect(await listen('--repeat', repeated).ended).toBe(0);
    const again = (await receiver.received(4)).slice(2);
    for (const { headers, body } of again) expect([headers['webhook-id'], body]).toEqual([id, first!.body]);
    const test = (await here.client().post(`/v1/webhooks/${webhook}/test`)).body.delivery;
    expect(await listen('--repeat', test.id).ended).toBe(0);
    expect((await receiver.received(5))[4]!.headers).toMatchObject({ 'webhook-test': 'true' });
    receiver.reply(422);
    expect(await listen('--repeat', id).ended).toBe(1);
    await worker.stop();
  }, 30_000);

  it('follows no redirect, and sends its token to no receiver', async () => {
    const { here, receiver, listen } = await listening(['--events', 'ticket_started']);
    const elsewhere = await desk.receiver();
    receiver.reply({ status: 307, headers: { location: elsewhere.url } });
    const one = listen();
    await isListening(one);
    await startTicket(here);
    const [request] = await receiver.received(1);
    await eventually(() => one.output.includes(' 307 in '));

    expect(elsewhere.requests).toEqual([]);
    expect(JSON.stringify(request)).not.toContain(here.account.owner.token);
  });

  it('signs with a given secret, without the scope for webhooks', async () => {
    const { here, receiver, listen } = await listening(['--events', 'ticket_started']);
    const { token } = await seedAgent(desk.sql, here.account.id, { scopes: ['read'] });
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await isListening(listen('--secret', secret, '--token', token));
    await startTicket(here);
    const [request] = await receiver.received(1);

    expect(() => verify(request!, secret)).not.toThrow();
  });
});

/** Ways to fail, each with what the command says to do. */
const FAILURES: Record<string, { words?: string[]; environment?: Record<string, string>; says: string[] }> = {
  'no address to forward to': { words: ['--forward', 'localhost:3000'], says: ['as --forward', 'listen --help'] },
  'an unknown option': { words: ['--frwrd', 'x'], says: ["'--frwrd'", 'listen --help'] },
  'no desk': { environment: { DESKWIRE: '' }, says: ['as --desk'] },
  'a desk that does not respond': {
    words: ['--desk', 'http://127.0.0.1:9'],
    says: ['No response', '--desk or DESKWIRE'],
  },
  'no token': { environment: { TOKEN: '' }, says: ['token', 'TOKEN or --token'] },
  'a revoked token': { words: ['--token', 'revoked'], says: ['revoked', 'TOKEN or --token'] },
  'an unknown webhook': { words: ['--webhook', randomUUID()], says: ['leave out --webhook'] },
  'an unknown kind of event': {
    words: ['--events', 'ticket_exploded', '--secret', 'whsec_'],
    says: ['ticket_exploded'],
  },
  'an unknown event': { words: ['--repeat', randomUUID()], says: ['id of an event or of a delivery'] },
  'an unknown time': { words: ['--since', 'soon', '--secret', 'whsec_'], says: ['since', 'listen --help'] },
};

describe('deskwire listen says what to do', () => {
  it.each(Object.entries(FAILURES))(
    'after %s',
    async (_, { words = [], environment = {}, says }) => {
      const forward = words.includes('--forward') ? [] : ['--forward', 'http://127.0.0.1:9/'];
      const one = listenIn(await newAccount(desk), [...forward, ...words], environment);

      expect(await one.ended).toBe(1);
      for (const part of says) expect(one.output).toContain(part);
      expect(one.output).not.toMatch(/\n {4}at /);
    },
    30_000,
  );

  it('after a missing scope, several webhooks of a kind, or a cursor of another desk', async () => {
    const { here, receiver, listen } = await listening();
    const { token } = await seedAgent(desk.sql, here.account.id, { scopes: ['read'] });
    const narrow = listen('--token', token);
    expect(await narrow.ended).toBe(1);
    expect(narrow.output).toContain('Use a token with the scopes read and webhooks. With --secret, read is enough.');

    const webhooks = [];
    for (const path of ['a', 'b'])
      webhooks.push(await registerWebhook(here.client(), 'ticket_started', `${receiver.url}${path}`));
    const unsure = listen();
    expect(await unsure.ended).toBe(1);
    for (const { id } of webhooks) expect(unsure.output).toContain(id);

    const file = join(tmpdir(), randomUUID());
    const { cursor } = (await desk.client().get('/v1/events')).body.meta;
    await writeFile(file, `2026-01-01T00:00:00.000Z\n${cursor}`);
    const foreign = listen('--webhook', webhooks[0]!.id, '--cursor-file', file);
    expect(await foreign.ended).toBe(1);
    expect(foreign.output).toContain('cursor does not come from this feed');
  });

  it('when it is asked for help, in the words of the guide', async () => {
    const one = listenIn(await newAccount(desk), ['--help']);

    expect(await one.ended).toBe(0);
    expect(await readFile('docs/sdk.md', 'utf8')).toContain(one.output.trim());
  });
});
