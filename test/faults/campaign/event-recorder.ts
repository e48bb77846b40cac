import { randomUUID } from 'node:crypto';
import { Clock, Database, DatabaseModule } from '#libs/database';
import { EventsModule, EventsService } from '#libs/events';
import { PayloadsModule } from '#libs/payloads';
import { SettingsModule, readSettings } from '#libs/settings';
import { TelemetryModule, createLogger } from '#libs/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { SeededAccount } from '#test/support/seed.js';
import { sampleCustomer } from '../traffic.js';
import type { ApiCall } from './load.js';

const EVENTS_PER_COMMIT = 20;
const DONE = 201;
const NO_ANSWER = 0;

/** Commits bursts of events through the domain, as the API does, faster than HTTP calls could. */
export async function openRecorder(environment: Readonly<Record<string, string>>) {
  const settings = readSettings(environment);
  const imports = [
    SettingsModule.forRoot(settings),
    TelemetryModule.forRoot('faults', createLogger('faults', 'silent')),
    DatabaseModule.forRoot({ app: 'faults' }),
    PayloadsModule.forRoot(settings.PUBLIC_URL),
    EventsModule,
  ];
  const quiet = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext({ module: class {}, imports }, quiet);
  return {
    async burst(account: SeededAccount, commits: number): Promise<ApiCall[]> {
      const calls: ApiCall[] = [];
      for (let one = 0; one < commits; one++) calls.push(await commit(app, account));
      return calls;
    },
    close: (): Promise<void> => app.close(),
  };
}

async function commit(app: INestApplicationContext, { id: accountId, owner }: SeededAccount): Promise<ApiCall> {
  const requestId = randomUUID();
  const context = { accountId, agentId: owner.id, role: 'owner', applicationId: null, requestId } as const;
  const now = app.get(Clock).now();
  const customer = () => ['customer_added', sampleCustomer(accountId, now)] as const;
  const happened = Array.from({ length: EVENTS_PER_COMMIT }, customer);
  const status = await app
    .get(Database)
    .account(accountId)
    .transaction((tx) => app.get(EventsService, { strict: false }).record(tx, context, ...happened))
    .then(
      () => DONE,
      () => NO_ANSWER,
    );
  return { requestId, emits: happened.map(([kind]) => kind), status, answeredAtMs: Date.now() };
}
