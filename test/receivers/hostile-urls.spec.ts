import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { HOSTILE_ANSWERS, HOSTILE_URLS, OUTSIDE } from './hostile-urls.js';
import { onRequest, RawServer } from './raw-server.js';
import { aSender, postTo, ScriptedNames } from './sender.js';

const answerOk = onRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));

let inside: RawServer;
let insideV6: RawServer;
/** Replaces the public internet: the one address that the guard allows. */
let outside: RawServer;

beforeAll(async () => {
  const port = await freePort();
  outside = await RawServer.start(answerOk, { host: OUTSIDE, port });
  inside = await RawServer.start(answerOk, { host: '127.0.0.1', port });
  insideV6 = await RawServer.start(answerOk, { host: '::1', port });
});

afterAll(() => Promise.all([inside.stop(), insideV6.stop(), outside.stop()]));

const visitorsInside = (): number => inside.connections + insideV6.connections;
const aGuardedSender = (names = new ScriptedNames()) => aSender({ allowed: [`${OUTSIDE}/32`], names });
const nothingIsRemembered = { maxIdle: 0, maxAgeMs: 60_000 };

describe('the internal socket', () => {
  it('would answer if reached', async () => {
    for (const host of ['127.0.0.1', '2130706433', '[::1]', 'localhost'])
      expect(await postTo(aSender(), inside.url('http', host))).toMatchObject({ kind: 'delivered' });
    expect(visitorsInside()).toBe(4);
  });
});

describe('the guarded client', () => {
  it.each(HOSTILE_URLS)('refuses %j', async (url) => {
    const before = visitorsInside();
    const outcome = await postTo(aGuardedSender(), url.replaceAll('PORT', `${inside.port}`));

    expect(outcome).toMatchObject({ kind: 'failed', status: null });
    expect(outcome).toHaveProperty('error', expect.stringMatching(/^(refused_address|invalid_url)$/));
    expect(visitorsInside()).toBe(before);
  });
});

describe('the guarded client with a host name', () => {
  it.each(HOSTILE_ANSWERS)('refuses a name that resolves to $addresses', async ({ addresses }) => {
    const before = visitorsInside() + outside.connections;
    const names = new ScriptedNames({ 'hostile.example': [addresses] });
    const outcome = await postTo(aGuardedSender(names), `http://hostile.example:${inside.port}/`);

    expect(outcome).toMatchObject({ kind: 'failed', error: 'refused_address' });
    expect(visitorsInside() + outside.connections).toBe(before);
  });

  it('fails with a DNS error when the name has no address', async () => {
    const names = new ScriptedNames({ 'empty.example': [[]] });

    const outcome = await postTo(aGuardedSender(names), 'http://empty.example/');
    expect(outcome).toMatchObject({ kind: 'failed', error: 'dns' });
  });

  it('leaves the address out of the error', async () => {
    const names = new ScriptedNames({ 'db.example': [['10.11.12.13']] });
    const outcome = await postTo(aGuardedSender(names), 'http://db.example/');

    expect(JSON.stringify(outcome)).not.toContain('10.11');
    expect(outcome).toHaveProperty('detail', 'the address was refused: it is a private address');
  });

  it('connects to the checked address when the records change in between', async () => {
    const names = new ScriptedNames({ 'rebinding.example': [[OUTSIDE], ['127.0.0.1']] });
    const before = visitorsInside();
    const sender = aSender({ allowed: [`${OUTSIDE}/32`], names, pool: nothingIsRemembered });
    const url = `http://rebinding.example:${inside.port}/`;

    expect(await postTo(sender, url)).toMatchObject({ kind: 'delivered' });
    expect(names.questions).toEqual(['rebinding.example']);
    for (let again = 0; again < 5; again += 1)
      expect(await postTo(sender, url)).toMatchObject({ error: 'refused_address' });
    expect(visitorsInside()).toBe(before);
  });
});

describe('a redirect to an internal address', () => {
  it.each([301, 302, 303, 307, 308])('counts as a response that is not followed, with status %d', async (status) => {
    const before = visitorsInside();
    const location = `http://127.0.0.1:${inside.port}/`;
    const head = `HTTP/1.1 ${status} Look\r\nLocation: ${location}\r\nRefresh: 0;url=${location}\r\nAlt-Svc: h2="127.0.0.1:${inside.port}"\r\n`;
    const redirecting = await RawServer.start(
      onRequest((socket) => socket.write(`${head}Content-Length: 0\r\n\r\n`)),
      { host: OUTSIDE },
    );

    const outcome = await postTo(aGuardedSender(), redirecting.url('http', OUTSIDE));
    expect(outcome).toMatchObject({ kind: 'answered', status });
    expect(redirecting.connections).toBe(1);
    expect(visitorsInside()).toBe(before);
  });
});
