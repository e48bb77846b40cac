// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import type { AppProcess } from '#test/support/app-process.js';
import { newEmail } from '#test/support/desk-records.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { Mirror, differencesToApi } from '#test/support/mirror.js';

const WRITERS = 4;
const WRITES = 60;
const KILLS = 3;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

/** Runs whatever the API responds, even if it was killed. */
const tried = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
};

it(
  'keeps a copy equal to the API, however often the API is killed under the copy and its writers',
  { timeout: 120_000 },
  async () => {
    const { token } = desk.account.owner;
    let api: AppProcess = await desk.apiProcess();
    const client = (): ApiClient => new ApiClient(api.base, token);
    const mirror = new Mirror(client(), 10);
    const work = { isDone: false };

    const writer = async (place: number): Promise<void> => {
      for (let count = 0; count < WRITES; count++) {
        const wanted = { body: `Help ${place}`, from: newEmail(), to: desk.account.mailbox.email };
        // Retries failed writes while the API is away, so that there are writes until the end.
        const { number } = await eventually(async () => (await client().post('/v1/tickets', wanted)).body.ticket, {
          withinMs: 30_000,
        });
        await tried(async () => {
          await client().post(`/v1/tickets/${number}/messages`, { body: 'Answer' });
          await client().put(`/v1/tickets/${number}/title`, { title: `Title ${count}` });
          if (count % 4 === 0) await client().delete(`/v1/tickets/${number}`);
        });
      }
    };
    const reader = (async () => {
      while (!work.isDone) await tried(() => mirror.follow(2));
    })();
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, place) => writer(place)));
    for (let kill = 0; kill < KILLS; kill++) {
      const before = mirror.told;
      await eventually(() => mirror.told >= before + 20, { withinMs: 30_000 });
      await api.kill9();
      api = await desk.apiProcess();
      mirror.ask(client());
    }
    await writers;
    work.isDone = true;
    await reader;
    mirror.ask(desk.client());
    await mirror.catchUp(desk.sql);

    expect(mirror.records.size).toBeGreaterThan(WRITERS * WRITES);
    expect(await differencesToApi(mirror, desk.client())).toEqual([]);
  },
);
