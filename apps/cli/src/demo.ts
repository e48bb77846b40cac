import 'reflect-metadata';
import { Conflict } from '#libs/entities';
import { readSettings } from '#libs/settings';
import { NestFactory } from '@nestjs/core';
import { DemoClock } from './demo/demo-clock.js';
import { DemoModule } from './demo/demo.module.js';
import { fillDesk } from './demo/fill-desk.js';
import { DEMO_PASSWORD } from './demo/account-setup.js';
import { reportError } from './report-error.js';

const DEMO_SIZE = { tickets: 320, days: 90, seed: 20_260 };

try {
  const clock = new DemoClock();
  const settings = readSettings();
  if (settings.NODE_ENV === 'production')
    throw new Conflict('production', 'Everybody knows the passwords of the demonstration: it is not for production.');
  const app = await NestFactory.createApplicationContext(DemoModule.forRoot(settings, clock), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    const tickets = await fillDesk(app, clock, DEMO_SIZE);
    console.log(`The desk holds ${tickets} tickets of the last ${DEMO_SIZE.days} days now.`);
    console.log(`Its agents sign in as maya@example.com and others, with the password “${DEMO_PASSWORD}”.`);
  } finally {
    await app.close();
  }
} catch (error) {
  process.exitCode = reportError(error);
}
