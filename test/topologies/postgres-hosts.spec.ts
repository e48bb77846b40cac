// @module-tag long
import { Database, createDataSource, systemStatement } from '#libs/database';
import { singleHostUrls } from '#libs/settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { withClient } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';

const WHERE = systemStatement('test_where', 'It reads no row', 'select inet_server_port() as port');
const WRITE = systemStatement('test_write', 'Nothing of an account is there', 'create table if not exists written ()');

/** One server accepts writes and the other does not, as a primary and its standby. The test swaps them. */
let servers: PrivateServer[];
let database: Database;

beforeAll(async () => {
  servers = await Promise.all([startServer('postgres'), startServer('postgres')]);
  const address = await severalHosts(servers);
  await takesWrites(servers[0]!, false);
  const settings = { DATABASE_URL: address, DATABASE_POOL_SIZE: 2 };
  database = new Database(await createDataSource(settings, 'tests').initialize());
});
afterAll(async () => {
  await database.dataSource.destroy();
  for (const server of servers) await server.stop();
});

describe('an address of several hosts', () => {
  it('leads to the primary, though another host precedes it and one is away', async () => {
    expect(await portInUse()).toBe(portOf(servers[1]!));
  });

  it('leads to the new primary after a switch, at the second statement', async () => {
    await takesWrites(servers[1]!, false);
    await takesWrites(servers[0]!, true);

    await expect(database.system().rows(WRITE)).rejects.toMatchObject({ code: '25006' });
    await eventually(() => database.system().rows(WRITE));

    expect(await portInUse()).toBe(portOf(servers[0]!));
  });

  it('reports for each host why there is no connection when no host accepts writes', async () => {
    await takesWrites(servers[0]!, false);

    const reasons = await eventually(async () => {
      const reason = await database
        .system()
        .rows(WRITE)
        .then(String, ({ message }: Error) => message);
      return reason.includes('takes writes: ') && reason.split('; ');
    });
    expect(reasons).toEqual([
      expect.stringContaining('takes no writes'),
      expect.stringContaining('takes no writes'),
      expect.stringContaining('ECONNREFUSED'),
    ]);
  });
});

async function portInUse(): Promise<number> {
  return (await database.system().row<{ port: number }>(WHERE))!.port;
}

const portOf = ({ url }: PrivateServer): number => Number(new URL(url).port);

/** Returns an address of both servers and of a port without a listener. */
async function severalHosts([first, second]: PrivateServer[]): Promise<string> {
  const url = new URL(first!.url);
  const samePassword = `alter role current_user password '${decodeURIComponent(url.password)}'`;
  await withClient(second!.url, (client) => client.query(samePassword));
  const hosts = `${url.host},127.0.0.1:${portOf(second!)},127.0.0.1:${await freePort()}`;
  const address = `${url.href.replace(url.host, hosts)}?target_session_attrs=read-write`;
  expect(singleHostUrls(address)).toHaveLength(3);
  return address;
}

/** Uses the password of both. */
async function takesWrites(server: PrivateServer, yes: boolean): Promise<void> {
  const url = Object.assign(new URL(servers[0]!.url), { port: `${portOf(server)}` });
  await withClient(url.href, async (client) => {
    await client.query(`alter system set default_transaction_read_only = ${yes ? 'off' : 'on'}`);
    await client.query('select pg_reload_conf()');
  });
}
