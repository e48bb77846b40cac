import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AddressGuard, DnsResolver, GuardedNames, parseHosts } from '#libs/address-guard';
import { NameServer } from './name-server.js';
import { answering } from './raw-server.js';
import { aSender, postTo } from './sender.js';

let names: NameServer;

beforeAll(async () => {
  names = await NameServer.start({
    'one.example': ['127.0.0.1'],
    'several.example': ['192.0.2.1', '192.0.2.2'],
    'none.example': [],
    'broken.example': 'broken',
    'silent.example': 'silent',
  });
});

afterAll(() => names.stop());

const aResolver = (): DnsResolver => new DnsResolver([names.address]);

describe('the resolver', () => {
  it.each([
    ['one.example', ['127.0.0.1']],
    ['ONE.example.', ['127.0.0.1']],
    ['several.example', ['192.0.2.1', '192.0.2.2']],
    ['localhost', ['127.0.0.1', '::1']],
    ['app.localhost', ['127.0.0.1', '::1']],
  ])('finds all addresses of %s', async (name, addresses) => {
    const answer = await aResolver().resolve(name);

    expect(answer).toMatchObject({ kind: 'addresses', addresses: expect.arrayContaining(addresses) });
  });

  it.each([
    ['unknown.example', 'the name does not exist'],
    ['none.example', 'the name has no address'],
    ['broken.example', 'the name servers failed'],
    [`${'x'.repeat(64)}.example`, 'the name is not a valid one'],
  ])('finds no address of %s, and reports why', async (name, detail) => {
    expect(await aResolver().resolve(name)).toEqual({ kind: 'failure', error: 'dns', detail });
  });

  it('looks a name up once in a burst', async () => {
    const resolver = aResolver();
    const before = names.questions.length;
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('several.example')));

    expect(names.questions.slice(before).filter((name) => name === 'several.example')).toHaveLength(2);
  });
});

describe('a delivery through the resolver', () => {
  it('goes to the address from the name server', async () => {
    const server = await answering();

    const outcome = await postTo(aSender({ names: aResolver() }), server.url('http', 'one.example'));
    expect(outcome).toMatchObject({ kind: 'delivered', status: 200 });
  });

  it('does not wait for a name server that never answers', async () => {
    const outcome = await postTo(aSender({ names: aResolver(), connectTimeoutMs: 200 }), 'http://silent.example/');

    expect(outcome).toMatchObject({ error: 'dns', detail: 'the name servers gave no answer within 200 ms' });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  it('waits for no other name servers that never answer', async () => {
    const server = await answering();
    const sender = aSender({ names: aResolver() });
    const stuck = Array.from({ length: 40 }, (_none, index) => postTo(sender, `http://${index}.silent.example/`));
    const outcome = await postTo(sender, server.url('http', 'one.example'));
    sender.close();
    await Promise.all(stuck);

    expect(outcome).toMatchObject({ kind: 'delivered' });
    expect(outcome.durationMs).toBeLessThan(500);
  });
});

describe('a production system', () => {
  it.each([
    ['app.localhost', 'the address was refused: it is a loopback address'],
    ['several.example', 'the address was refused: it is a documentation address'],
    ['unknown.example', 'the name does not exist'],
    ['none.example', 'the name has no address'],
    ['broken.example', 'the name servers failed'],
  ])('has one response for internal and unknown names, and logs why: %s', async (host, reason) => {
    const lines: object[] = [];
    const log = { info: (facts: object) => void lines.push(facts) };
    const started = performance.now();
    const located = await new GuardedNames(new AddressGuard([]), aResolver(), log).locate(host);

    const detail = 'the name could not be resolved to a public address';
    expect(located).toEqual({ kind: 'failure', error: 'dns', detail });
    expect(lines).toEqual([{ host, reason }]);
    // Otherwise the time would tell them apart.
    expect(performance.now() - started).toBeGreaterThan(240);
  });

  it('finds public names without a delay', async () => {
    const log = { info: () => undefined };
    const guarded = new GuardedNames(new AddressGuard(['127.0.0.1']), aResolver(), log);
    await guarded.locate('one.example');
    const started = performance.now();

    expect(await guarded.locate('one.example')).toEqual({ kind: 'addresses', addresses: ['127.0.0.1'] });
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe('the reader of the hosts file', () => {
  it('reads it as the system does', () => {
    const hosts = parseHosts('# comment\n127.0.0.1\tlocalhost  Here # me\n::1 here\n\nnot-an-address name\n10.0.0.1\n');

    expect([...hosts]).toEqual([
      ['localhost', ['127.0.0.1']],
      ['here', ['127.0.0.1', '::1']],
    ]);
  });
});
