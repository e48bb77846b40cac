import { describe, expect, it } from 'vitest';
import { type Ran, runCli } from './run.js';
import { deskForFile } from '#test/support/desk-for-file.js';

const desk = deskForFile();

const run = (args: string[]): Promise<Ran> => runCli(args, desk.environment);

describe('the operator', () => {
  it('creates an account that can have tickets at once, and mailboxes', async () => {
    const first = await run(['accounts', 'create', 'Hooli', '--owner', 'gavin@hooli.test', '--json']);
    const told = ['--mailbox', 'help@piper.test', '--json'];
    const second = await run(['accounts', 'create', 'Piper', '--owner', 'richard@piper.test', ...told]);
    const account = ['--account', first.json.id];
    const make = ['mailboxes', 'create', 'Billing', ...account, '--email', 'Billing@Hooli.test'];
    const [made, again] = [await run([...make, '--json']), await run(make)];
    const listed = await run(['mailboxes', 'list', ...account, '--json']);
    const token = await run([
      'tokens',
      'create',
      'Test',
      ...account,
      '--agent',
      'gavin@hooli.test',
      '--scope',
      'write',
      '--json',
    ]);
    const ticket = await desk.client(token.json.token).post('/v1/tickets', {
      from: 'customer@client.test',
      to: 'billing@hooli.test',
      body: 'Hello',
    });
    const { rows: activities } = await desk.sql.query(
      "select subject from activities where account_id = $1 and kind = 'mailbox_created' order by id",
      [first.json.id],
    );

    expect([first.json.mailbox, second.json.mailbox]).toEqual(['support@hooli.test', 'help@piper.test']);
    expect(activities).toEqual([{ subject: 'Support' }, { subject: 'Billing' }]);
    expect(made.json).toMatchObject({ name: 'Billing', email: 'billing@hooli.test', account: 'Hooli' });
    expect([again.code, again.err]).toEqual([
      1,
      'error: This account already has a mailbox named Billing or with the address billing@hooli.test.\n',
    ]);
    expect(listed.json.map(({ name }: { name: string }) => name)).toEqual(['Support', 'Billing']);
    expect([ticket.status, ticket.body.ticket.mailbox]).toEqual([201, 'Billing']);
  });
});
