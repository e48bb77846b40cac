import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../receivers/certificate.js';
import { RawServer, aReply, drip } from '../receivers/raw-server.js';
import { ScriptedNames } from '../receivers/sender.js';
import { ClientHost, JSON_TYPE, MetadataDesk, documentAt } from './support/metadata-desk.js';

const desk = MetadataDesk.forFile();
let requesters = 0;
/** Each has its own limit. */
const anAddress = (): string => `192.0.2.${++requesters}`;

const find = (clientId: string, service = desk.service()) => service.find(clientId, anAddress());
const refusal = (words: string) => ({ kind: 'refused', sentence: expect.stringContaining(words) });
const known = (client: Record<string, unknown>) => ({ kind: 'client', client: expect.objectContaining(client) });

describe('the client of a metadata document', () => {
  it('is a public client with the name and redirect URIs of the document', async () => {
    const host = await ClientHost.start();

    const { clientId } = host;
    const expected = { clientId, name: 'Mirror', redirectUris: ['http://127.0.0.1/done'], secretHash: null };
    expect(await find(clientId)).toEqual(known(expected));
    expect(await desk.row(clientId)).toMatchObject({ name: 'Mirror', disabled_at: null });
  });

  it('may be described over https', async () => {
    const certificate = selfSigned();
    const answer = () =>
      aReply('200 OK', documentAt(clientId), 'Content-Type: application/cimd+json; charset=utf-8\r\n');
    const server = await RawServer.startTls(certificate, (socket) => socket.once('data', () => socket.write(answer())));
    const clientId = server.url('https', 'localhost');
    const settings = { WEBHOOK_REQUIRE_HTTPS: 'true' };

    expect(await find(clientId, desk.service({ settings }))).toEqual(refusal('refused'));
    const allowed = ['127.0.0.0/8', '::1/128'];
    expect(await find(clientId, desk.service({ settings, allowed }))).toEqual(refusal('certificate'));
    expect(await find(clientId, desk.service({ settings, allowed, trusted: certificate.cert }))).toEqual(known({}));
  });

  it('is read again when the document expires, and keeps its ID and the scopes that the operator chose', async () => {
    const host = await ClientHost.start();
    host.publish({}, 'Cache-Control: max-age=7200\r\n');
    const { client: first } = (await find(host.clientId)) as { client: { id: string } };
    await desk.ledger.sql.query("update applications set scopes = '{read}' where client_id = $1", [host.clientId]);
    host.publish({ client_name: 'Renamed' });

    desk.clock.advance({ hours: 1, minutes: 59 });
    expect(await find(host.clientId)).toEqual(known({ name: 'Mirror' }));
    desk.clock.advance({ minutes: 2 });
    expect(await find(host.clientId)).toEqual(known({ id: first.id, name: 'Renamed', scopes: ['read'] }));
    expect(host.server.connections).toBe(2);
  });

  it('is one row, whatever number of processes find it at once', async () => {
    const host = await ClientHost.start();
    const services = [desk.service(), desk.service()];
    const found = await Promise.all(Array.from({ length: 10 }, (_, at) => find(host.clientId, services[at % 2])));

    const { id } = (await desk.row(host.clientId)) as { id: string };
    expect(found).toEqual(found.map(() => known({ id })));
  });

  it('stays disabled, and its host gets no request', async () => {
    const host = await ClientHost.start();
    await find(host.clientId);
    await desk.ledger.sql.query('update applications set disabled_at = now() where client_id = $1', [host.clientId]);

    expect(await find(host.clientId)).toEqual(refusal('disabled'));
    desk.clock.advance({ hours: 2 });
    expect(await find(host.clientId)).toEqual(refusal('disabled'));
    expect(host.server.connections).toBe(1);
  });

  it.each([
    ['is no URL', 'https//app.example'],
    ['has a query', 'https://app.example/client?a=b'],
  ])('is refused if its client_id %s', async (_what, clientId) => {
    expect(await find(clientId)).toEqual(refusal('normalized https address'));
  });
});

const only = (hosts: string) => desk.service({ settings: { CLIENT_ID_METADATA_HOSTS: hosts } });

describe('the settings', () => {
  it('make all such clients unknown', async () => {
    const host = await ClientHost.start();

    const service = desk.service({ settings: { CLIENT_ID_METADATA_DOCUMENTS: 'off' } });
    expect(await find(host.clientId, service)).toEqual(refusal('is not registered'));
    expect(host.server.connections).toBe(0);
  });

  it('name the hosts that are accepted', async () => {
    const host = await ClientHost.start();

    expect(await find(host.clientId, only('app.example,127.0.0.10'))).toEqual(refusal('127.0.0.1 are not accepted'));
    expect(host.server.connections).toBe(0);
    expect(await find(host.clientId, only('app.example,127.0.0.1'))).toEqual(known({}));
  });
});

const padded = (bytes: number) => (clientId: string) =>
  aReply('200 OK', documentAt(clientId).padEnd(bytes, ' '), JSON_TYPE);
const zipped = (clientId: string) => gzipSync(documentAt(clientId)).toString('latin1');

describe('a document', () => {
  it.each<[string, string, (clientId: string) => string]>([
    ['is elsewhere', 'status 302', () => aReply('302 Found', '', 'Location: http://127.0.0.1/\r\n')],
    ['is missing', 'status 404', () => aReply('404 Not Found')],
    ['is created', 'status 201', (id) => aReply('201 Created', documentAt(id), JSON_TYPE)],
    ['is partial', 'status 206', (id) => aReply('206 Partial Content', documentAt(id), JSON_TYPE)],
    ['is HTML', 'Content-Type', (id) => aReply('200 OK', documentAt(id), 'Content-Type: text/html\r\n')],
    ['has no type', 'Content-Type', (id) => aReply('200 OK', documentAt(id))],
    [
      'almost has the type',
      'Content-Type',
      (id) => aReply('200 OK', documentAt(id), 'Content-Type: application/jsonp\r\n'),
    ],
    ['is zipped', 'Encoding', (id) => aReply('200 OK', zipped(id), `${JSON_TYPE}Content-Encoding: gzip\r\n`)],
    ['has 5,121 bytes', 'longer than 5 KiB', padded(5_121)],
    ['has a megabyte', '256 KiB', padded(1_000_000)],
    ['is of another client', 'client_id', (id) => aReply('200 OK', documentAt(`${id}/`), JSON_TYPE)],
    ['is no JSON', 'is not valid JSON', () => aReply('200 OK', '<html>', JSON_TYPE)],
    [
      'has only a foreign redirect URI',
      'redirect_uris',
      (id) => aReply('200 OK', documentAt(id, { redirect_uris: ['https://evil.example/'] }), JSON_TYPE),
    ],
    ['is unavailable', 'status 503', () => aReply('503 Busy')],
    ['is cut off', 'cannot be used', () => `HTTP/1.1 200 OK\r\n${JSON_TYPE}Content-Length: 9\r\n\r\n{}`],
    ['is not HTTP', 'HTTP/1.1', () => 'SSH-2.0-OpenSSH\r\n'],
  ])('is refused if it %s', async (_what, words, responseFor) => {
    const host = await ClientHost.start();
    host.response = responseFor(host.clientId);

    expect(await find(host.clientId, desk.service({ timeoutMs: 400 }))).toEqual(refusal(words));
    expect(await desk.row(host.clientId)).toBeUndefined();
  });

  it('is accepted with 5,120 bytes', async () => {
    const host = await ClientHost.start();
    host.response = padded(5_120)(host.clientId);

    expect(await find(host.clientId)).toEqual(known({}));
  });

  it('is refused at the deadline if its host drips', async () => {
    const server = await RawServer.start((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n`);
      drip(socket, ' ', 20);
    });

    expect(await find(server.url(), desk.service({ timeoutMs: 200 }))).toEqual(refusal('within 200 ms'));
  });

  it.each([
    ['https://10.0.0.1/client', 'a private address'],
    ['https://169.254.169.254/latest/meta-data', 'a cloud metadata address'],
    ['https://[::1]/client', 'a loopback address'],
    ['https://[::ffff:7f00:1]/client', 'an IPv4-mapped address'],
    ['https://2130706433/client', 'normalized'],
    ['http://127.0.0.1:9999/client', 'a loopback address'],
    ['https://localhost/client', 'a loopback address'],
    ['https://inside.example/client', 'a private address'],
    ['https://app.example:6379/client', 'port 6379'],
  ])('is not requested from %s', async (clientId, words) => {
    const names = new ScriptedNames({ 'inside.example': [['1.1.1.1', '10.0.0.1']] });

    expect(await find(clientId, desk.service({ allowed: [], names }))).toEqual(refusal(words));
  });
});

describe('a known client', () => {
  it('outlives an outage of its host by a day', async () => {
    const host = await ClientHost.start();
    await find(host.clientId);
    host.response = aReply('503 Busy');
    desk.clock.advance({ hours: 2 });
    const whenBusy = await find(host.clientId);
    await host.server.stop();
    desk.clock.advance({ hours: 22, minutes: 59 });
    const whenDown = await find(host.clientId);
    desk.clock.advance({ minutes: 2 });

    expect([whenBusy, whenDown]).toEqual([known({}), known({})]);
    expect(await find(host.clientId)).toEqual(refusal('the connection was refused'));
  });

  it.each([
    ['removed', '404', aReply('404 Not Found')],
    ['withdrawn', '410', aReply('410 Gone')],
    ['replaced by an invalid one', 'client_id must', aReply('200 OK', '[]', JSON_TYPE)],
  ])('is refused if its document was %s, until it returns', async (_what, words, response) => {
    const host = await ClientHost.start();
    await find(host.clientId);
    host.response = response;
    desk.clock.advance({ hours: 2 });
    const whileGone = await find(host.clientId);
    host.publish();

    expect(whileGone).toEqual(refusal(words));
    expect(await find(host.clientId)).toEqual(known({}));
  });
});

describe('requests to hosts of clients', () => {
  it('are limited for an address', async () => {
    const host = await ClientHost.start();
    const service = desk.service();
    const address = anAddress();
    const clients = Array.from({ length: 31 }, (_, at) => `${host.clientId}/${at}`);
    const found = [];
    for (const clientId of clients) found.push(await service.find(clientId, address));

    expect(found.slice(0, 30)).toEqual(found.slice(0, 30).map(() => refusal('client_id must')));
    expect(found[30]).toEqual(refusal('too many were read'));
    expect(host.server.connections).toBe(30);
    expect(await service.find(host.clientId, anAddress())).toEqual(known({}));
  });

  it('are shared by concurrent callers', async () => {
    const host = await ClientHost.start();
    const documents = desk.documents({});
    const fetched = await Promise.all([documents.fetch(host.clientId), documents.fetch(host.clientId)]);

    expect(fetched).toEqual(fetched.map(() => expect.objectContaining({ kind: 'document' })));
    expect(host.server.connections).toBe(1);
  });

  it('are limited in a process', async () => {
    const silent = await RawServer.start(() => undefined);
    const service = desk.service({ timeoutMs: 500 });
    const found = await Promise.all(Array.from({ length: 9 }, (_, at) => find(`${silent.url()}/${at}`, service)));

    expect(found.filter((one) => JSON.stringify(one).includes('too many documents'))).toHaveLength(1);
    expect(silent.connections).toBe(8);
  });
});
