// @module-tag long
import fs from 'node:fs';
import path from 'node:path';
import { Database, createDataSource, systemStatement } from '#libs/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chownTo, serverUser } from '../../apps/launcher/src/system-user.js';
import { selfSigned } from '../receivers/certificate.js';
import { withClient } from '#test/support/database.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';

const ENCRYPTED = systemStatement(
  'test_encrypted',
  'It reads no row of an account',
  `select ssl, client_dn as "client" from pg_stat_ssl where pid = pg_backend_pid()`,
);

let server: PrivateServer;
let folder: string;

beforeAll(async () => {
  server = await startServer('postgres');
  folder = (await ask('show data_directory'))['data_directory'] as string;
  const { key, cert } = selfSigned();
  write('own.key', key);
  write('own.crt', cert);
  write('other.crt', selfSigned().cert);
  await ask(`alter system set ssl_key_file = 'own.key'`);
  await ask(`alter system set ssl_cert_file = 'own.crt'`);
  await ask('alter system set ssl = on');
  await ask('select pg_reload_conf()');
});
afterAll(() => server.stop());

describe('PostgreSQL over TLS', () => {
  it('trusts the authority in sslrootcert, and requires a matching name', async () => {
    expect(await encryption('sslmode=verify-full&sslrootcert=own.crt')).toEqual({ ssl: true, client: null });
  });

  it.each([
    ['another authority', 'sslmode=verify-full&sslrootcert=other.crt'],
    ['Node', 'sslmode=verify-full'],
  ])('fails with the trust store of %s', async (_, parameters) => {
    await expect(encryption(parameters)).rejects.toThrow(/self-signed certificate|signature/);
  });

  it('fails under a name that is not in its certificate', async () => {
    await expect(encryption('sslmode=verify-full&sslrootcert=own.crt', '127.0.0.1')).rejects.toThrow(/altnames/);
  });

  it('authenticates its client by a certificate, too', async () => {
    const { username } = new URL(server.url);
    const { key, cert } = selfSigned({ name: username });
    write('client.key', key);
    write('client.crt', cert);
    await ask(`alter system set ssl_ca_file = 'client.crt'`);
    await ask('select pg_reload_conf()');

    const found = await encryption('sslmode=verify-full&sslrootcert=own.crt&sslcert=client.crt&sslkey=client.key');

    expect(found).toEqual({ ssl: true, client: `/CN=${username}` });
  });
});

/** Returns the TLS state of a connection of the product to this address. */
async function encryption(parameters: string, host = 'localhost'): Promise<unknown> {
  const url = new URL(server.url);
  url.hostname = host;
  url.search = parameters.replaceAll(/=(\w+\.(?:crt|key))/g, (_, name: string) => `=${path.join(folder, name)}`);
  const source = await createDataSource({ DATABASE_URL: url.href, DATABASE_POOL_SIZE: 2 }, 'tests').initialize();
  try {
    return await new Database(source).system().row(ENCRYPTED);
  } finally {
    await source.destroy();
  }
}

const ask = (text: string): Promise<Record<string, unknown>> =>
  withClient(server.url, async (client) => (await client.query<Record<string, unknown>>(text)).rows[0] ?? {});

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text, { mode: 0o600 });
  chownTo(file, serverUser());
}
