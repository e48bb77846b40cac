import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Conflict } from '#libs/entities';
import { readSettings, type Settings, SettingsModule } from '#libs/settings';
import { NestFactory } from '@nestjs/core';
import { DemoClock } from './demo/demo-context.js';
import { fillDesk, DEMO_PASSWORD } from './demo/fill-desk.js';
import { reportError } from './report-error.js';
import { AccessModule, AgentAccessService, DependentWebhooks } from '#libs/access';
import { DatabaseModule } from '#libs/database';
import { PayloadsModule } from '#libs/payloads';
import { TelemetryModule, createLogger } from '#libs/telemetry';
import { MailboxesModule } from '#libs/mailboxes';
import { AgentAccess, TicketsModule } from '#libs/tickets';
import { AccessRevocationService, WebhooksModule } from '#libs/webhooks';
import type { DynamicModule } from '@nestjs/common';

const DEMO_SIZE = { tickets: 320, days: 90, seed: 20_260 };

const HELP = `Fills the account of a fresh installation with three months of tickets from an outdoor shop.

  npm run demo                                  in another terminal while \`npm start\` runs

Refuses to run in production, and if the account has agents besides its owner, or more than five tickets.
If npm start has a DATA_DIR, set the same one here.
`;

async function runDemo(): Promise<void> {
  const clock = new DemoClock();
  const settings = readSettings();
  if (settings.NODE_ENV === 'production')
    throw new Conflict('production', 'The demo does not run in production, because its passwords are public.');
  const app = await NestFactory.createApplicationContext(demoModule(settings, clock), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    await fillDesk(app, clock, DEMO_SIZE);
    console.log(`Created ${DEMO_SIZE.tickets} tickets from the last ${DEMO_SIZE.days} days.`);
    console.log(`Sign in as maya@example.com or another agent. Password: “${DEMO_PASSWORD}”`);
  } finally {
    await app.close();
  }
}

/** The services of the API without its HTTP server. */
const demoModule = (settings: Settings, clock: DemoClock): DynamicModule => ({
  module: class DemoModule {},
  global: true,
  imports: [
    SettingsModule.forRoot(settings),
    TelemetryModule.forRoot('demo', createLogger('demo', 'warn')),
    DatabaseModule.forRoot({ app: 'demo', clock }),
    PayloadsModule.forRoot(settings.PUBLIC_URL),
    AccessModule,
    TicketsModule,
    MailboxesModule,
    WebhooksModule,
  ],
  providers: [
    { provide: AgentAccess, useClass: AgentAccessService },
    { provide: DependentWebhooks, useClass: AccessRevocationService },
  ],
  exports: [AgentAccess, DependentWebhooks],
});

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) process.stdout.write(HELP);
  else await runDemo();
} catch (error) {
  process.exitCode = reportError(error);
}
