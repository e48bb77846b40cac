// @module-tag long
import { BELL_CHANNEL, Bell, BellListener } from '#libs/database';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { ClosingProxy } from './closing-proxy.js';
import { recordEvents } from './traffic.js';

/** All connections but those of the API and the test: ours, BullMQ's, and those on which BullMQ listens. */
const WORKER_CONNECTIONS = "application_name not in ('', 'deskwire-api')";
const LISTENER_CONNECTIONS = "application_name = 'deskwire-bell'";

describe('a listener of the bell', () => {
  it('gets notifications again after its connection was lost, and after PostgreSQL was restarted', async () => {
    const { desk, server } = await deskOnOwnServer();
    const listening = listen(desk.settings.DATABASE_URL);
    await listening.isHeard(desk);

    expect(await endConnections(desk, LISTENER_CONNECTIONS)).toBe(1);
    await listening.isHeard(desk);
    await server.restart();
    await listening.isHeard(desk);
  });

  it('stops at once while PostgreSQL is frozen', async () => {
    const { desk, server } = await deskOnOwnServer();
    const { listener, isHeard } = listen(desk.settings.DATABASE_URL);
    await isHeard(desk);

    const pause = server.pause(3_000);
    const begun = performance.now();
    await listener.stop();

    expect(performance.now() - begun).toBeLessThan(500);
    await pause;
  });
});

describe('a worker whose queue is in PostgreSQL', { timeout: 60_000 }, () => {
  it('delivers at once after every connection of its own was ended', async () => {
    const { desk, deliver } = await workerWithoutRedis();
    await deliver();

    for (let times = 0; times < 3; times++) {
      expect(await endConnections(desk, WORKER_CONNECTIONS)).toBeGreaterThan(3);
      await deliver();
    }
  });

  it('survives connections that end the moment they are ready, and stops with exit code 0 meanwhile', async () => {
    const { desk, proxy, worker, deliver } = await workerWithoutRedis();
    await deliver();

    proxy.closing = true;
    const before = proxy.closedCount;
    await endConnections(desk, WORKER_CONNECTIONS);
    await eventually(() => proxy.closedCount > before + 10);
    proxy.closing = false;
    await deliver();

    proxy.closing = true;
    await endConnections(desk, WORKER_CONNECTIONS);
    expect(await worker.stop()).toBe(0);
  });

  it.each([
    ['its queue', 'deskwire-queue'],
    ['the worker itself', 'deskwire-worker'],
  ])('starts once PostgreSQL is up, though %s could not connect at first', async (_, applicationName) => {
    const { desk, proxy, deliver } = await deskWithoutRedis();
    Object.assign(proxy, { closing: true, applicationName });
    await desk.worker({ DATABASE_URL: proxy.url });
    await eventually(() => proxy.closedCount > 3);
    proxy.closing = false;

    expect(await deliver()).toBe(1);
  });
});

async function deskOnOwnServer(): Promise<{ desk: Desk; server: PrivateServer }> {
  const server = await startServer('postgres');
  onTestFinished(() => server.stop());
  const desk = await startDesk({ databaseServer: server.url });
  onTestFinished(() => desk.stop());
  return { desk, server };
}

/** Its own connections and those of BullMQ go through the proxy. */
async function workerWithoutRedis() {
  const fixture = await deskWithoutRedis();
  return { ...fixture, worker: await fixture.desk.worker({ DATABASE_URL: fixture.proxy.url }) };
}

async function deskWithoutRedis() {
  const desk = await startDesk({ queue: 'postgres', settings: { SHUTDOWN_GRACE_MS: '5000' } });
  onTestFinished(() => desk.stop());
  const proxy = await ClosingProxy.inFrontOf(desk.settings.DATABASE_URL);
  onTestFinished(() => proxy.stop());
  const receiver = await desk.receiver();
  await desk.webhook('customer_added', receiver.url);
  const deliver = async () => {
    const before = receiver.requests.length;
    await recordEvents(desk, 1);
    await receiver.received(before + 1);
    return receiver.requests.length;
  };
  return { desk, proxy, deliver };
}

function listen(url: string) {
  let heard = 0;
  const listener = new BellListener({ url, channels: { [BELL_CHANNEL]: () => heard++ }, onError: () => undefined });
  listener.start();
  onTestFinished(() => listener.stop());
  const isHeard = async (desk: Desk) => {
    const before = heard;
    await eventually(() => {
      desk.api.get(Bell, { strict: false }).ring(desk.account.id);
      // Once after reconnecting, and once for the notification itself.
      return heard > before + 1;
    });
  };
  return { listener, isHeard };
}

/** Returns the number of ended connections. */
async function endConnections({ sql }: Desk, which: string): Promise<number> {
  const { rowCount } = await sql.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${which}`,
  );
  return rowCount ?? 0;
}
