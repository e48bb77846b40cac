import { spawn } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { createDatabase } from '#test/support/database.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { pathWithCurl } from '../oauth/support/path-with-curl.js';
import { smallCrm } from './small-crm.js';
import { fileBlock } from './guide.js';
import { run, save } from './languages.js';

const desk = deskForFile();

const access = () => ({ DESKWIRE: desk.base, TOKEN: desk.account.owner.token });

function folderOf(...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskwire-recipe-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const file of files) save(folder, file);
  return folder;
}

describe('the recipe for Slack', () => {
  it('posts a message for each urgent ticket, and again only after a failure', async () => {
    const slack = await desk.receiver({ replies: [503, 200] });
    const folder = folderOf('slack.mjs', 'verify.mjs');
    const PORT = `${await freePort()}`;
    const URL = `http://127.0.0.1:${PORT}/`;
    const environment = { ...access(), URL, PATH: pathWithCurl(folder) };
    const registered = await run({
      program: '/bin/sh',
      args: ['-c', fileBlock('register-slack.sh')],
      folder,
      environment,
    });
    const { webhooks } = JSON.parse(registered) as { webhooks: [{ secret: string }] };
    const env = { ...process.env, WEBHOOK_SECRET: webhooks[0].secret, SLACK_URL: slack.url, PORT };
    const program = spawn(process.execPath, ['slack.mjs'], { cwd: folder, env, stdio: 'ignore' });
    onTestFinished(() => void program.kill());
    await eventually(() => fetch(URL));
    await desk.worker();

    await startTicket(desk, { subject: 'A question' });
    const { number } = await startTicket(desk, {
      subject: 'Down <!channel>',
      priority: 'urgent',
      from: { email: 'a@b.test', name: 'Ana' },
    });
    const requests = await slack.received(2, { withinMs: 20_000 });
    await desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'low' });
    await desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'urgent' });
    const [, , urgentAgain] = await slack.received(3);

    const link = `<${desk.settings.PUBLIC_URL}/tickets/${number}|#${number} Down &lt;!channel&gt;>`;
    const text = `:rotating_light: New urgent ticket: ${link}\nAna, ${desk.account.mailbox.name}`;
    expect(requests.map(({ json }) => json['text'])).toEqual([text, text]);
    expect(urgentAgain!.json['text']).toContain('Now urgent');
  });
});

describe('the recipe for PostgreSQL', () => {
  it('copies all records, continues after it was killed, and removes deleted ones', async () => {
    const database = await createDatabase();
    const copy = new Client(database.url);
    await copy.connect();
    onTestFinished(async () => {
      await copy.end();
      await database.drop();
    });
    const folder = folderOf('postgres-mirror.mjs');
    const environment = { ...access(), COPY_URL: database.url };
    const mirrorOnce = () =>
      run({
        program: process.execPath,
        args: ['postgres-mirror.mjs'],
        folder,
        environment: { ...environment, ONCE: '1' },
      });
    const copied = async () => (await copy.query('select type, id, record from desk_records')).rows;
    const kept = await startTicket(desk, { subject: 'Kept' });
    const deleted = await startTicket(desk, { subject: 'Deleted' });

    const following = spawn(process.execPath, ['postgres-mirror.mjs'], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    await eventually(async () => (await copied()).some(({ record }) => record.number === deleted.number));
    following.kill('SIGKILL');
    await new Promise((ended) => following.once('exit', ended));
    await desk.client().delete(`/v1/tickets/${deleted.number}`);
    await desk.client().put(`/v1/tickets/${kept.number}/state`, { state: 'closed' });
    await eventually(() => mirrorOnce(), { withinMs: 20_000 });
    const records = await copied();
    await mirrorOnce();

    expect(await copied()).toEqual(records);
    const tickets = records.filter(({ type }) => type === 'ticket').map(({ record }) => record);
    expect(tickets).toContainEqual((await desk.client().get(`/v1/tickets/${kept.number}`)).body.ticket);
    expect(tickets.map(({ number }) => number)).not.toContain(deleted.number);
    await copy.query(
      `update desk_records set record = record || '{"company_name": "Client GmbH"}' where type = 'customer'`,
    );
    await copy.query(`update desk_records set record = record || '{"state": "opened"}' where id = $1`, [kept.id]);
    expect((await copy.query(fileBlock('open-tickets.sql'))).rows[0]).toMatchObject({ company: 'Client GmbH' });
  }, 60_000);
});

describe('the recipe for a CRM', () => {
  it('copies what each side owns, and writes nothing the second time', async () => {
    const crm = await smallCrm();
    const folder = folderOf('crm-sync.mjs');
    const environment = { ...access(), CRM: crm.url };
    const sync = () => run({ program: process.execPath, args: ['crm-sync.mjs'], folder, environment });
    const email = 'crm@client.test';
    const path = `/v1/customers/${email}`;
    await desk.client().post('/v1/customers', { email, phone_number: '+49 30 1', company_name: 'Old' });

    await sync();
    expect(crm.contacts.get(email)).toMatchObject({ phone: '+49 30 1' });
    crm.change(email, { company: 'Client GmbH', job_title: null });
    await sync();
    await sync();
    const { customer } = (await desk.client().get(path)).body;
    expect(customer).toMatchObject({ company_name: 'Client GmbH', phone_number: '+49 30 1' });
    const writes = crm.writes.length;
    await sync();

    expect((await desk.client().get(path)).body.customer.updated_at).toBe(customer.updated_at);
    expect(crm.writes.length).toBe(writes);
    await desk.client().patch(path, { phone_number: '+49 30 2' });
    await sync();
    expect(crm.writes.at(-1)).toEqual({ email, phone: '+49 30 2' });
  }, 60_000);
});
