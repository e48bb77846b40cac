import { randomUUID } from 'node:crypto';
import { newReturnToken } from '#libs/entities';
import { ReplyAddressesService } from '#libs/tickets';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../cli/run.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox } from '#test/support/desk-records.js';

const desk = deskForFile({ settings: { MAIL_FROM: 'Acme <desk@acme.test>' } });
let signed: string;
beforeAll(() => {
  signed = new ReplyAddressesService(desk.settings).of('support@acme.test', desk.account.id, 1);
});

const SIGNATURE = newReturnToken();
const post = (email: string) => desk.client().post('/v1/mailboxes', { name: randomUUID(), email });

describe('the address of a mailbox', () => {
  it.each([
    ['of a ticket', `support+42.${SIGNATURE}@acme.test`],
    ['of a Return-Path', `support+b.${SIGNATURE}@acme.test`],
    ['of an agent', `support+a42.01234567${SIGNATURE}@acme.test`],
    ['in upper case', `SUPPORT+B.${SIGNATURE.toUpperCase()}@ACME.TEST`],
    ['below a tag', `support+eu+42.${SIGNATURE}@acme.test`],
    ['in another script', `support+42.${SIGNATURE}@bücher.example`],
    ['in punycode', `support+42.${SIGNATURE}@xn--bcher-kva.example`],
  ])('cannot have the form of a signed address %s', async (_, email) => {
    const { status, body } = await post(email);

    expect([status, body.errors?.[0].field, body.errors?.[0].code]).toEqual([422, 'email', 'reserved_address']);
  });

  it('cannot be the sender of the installation’s own mail, unless its operator makes the mailbox', async () => {
    const words = ['mailboxes', 'create', 'Sender', '--account', desk.account.id, '--email', 'desk@acme.test'];
    const refused = await post('Desk@acme.test');
    const { code } = await runCli(words, desk.environment);
    const renamed = await desk.client().put('/v1/mailboxes/Sender', { name: 'Desk', email: 'desk@acme.test' });

    expect([refused.status, refused.body.errors?.[0].code]).toEqual([422, 'reserved_address']);
    expect([code, renamed.status]).toEqual([0, 200]);
  });

  it('cannot be changed to that form', async () => {
    const { id, email } = await addMailbox(desk);
    const { status, body } = await desk.client().put(`/v1/mailboxes/${id}`, { email: signed });

    expect([status, body.errors[0].code]).toEqual([422, 'reserved_address']);
    expect((await desk.client().get(`/v1/mailboxes/${id}`)).body.mailbox.email).toBe(email);
  });

  it.each(['support+42@acme.test', 'support+b.eu@acme.test', 'support+2026.orders@acme.test'])(
    'can have another tag, such as %s',
    async (email) => {
      expect((await post(email)).status).toBe(201);
    },
  );

  it('shows the reason on the command line when it is reserved', async () => {
    const account = ['--account', desk.account.id];
    const words = [
      ['mailboxes', 'create', 'Claimed', ...account, '--email', signed],
      ['accounts', 'create', 'Eve', '--owner', 'eve@evil.test', '--mailbox', signed],
    ];
    for (const line of words) {
      const { code, err } = await runCli(line, desk.environment);

      expect(code).toBe(1);
      expect(err).toMatch(/^error: \S+ has the form of a signed reply address/);
    }
    expect((await desk.sql.query("select from accounts where name = 'Eve'")).rowCount).toBe(0);
  });

  it('appears in the report of the doctor when an older version accepted it', async () => {
    await desk.sql.query(
      `insert into mailboxes (id, account_id, name, email, created_at, updated_at)
       values ($1, $2, 'Claimed', $3, now(), now())`,
      [randomUUID(), desk.account.id, signed],
    );
    const { out } = await runCli(['doctor'], desk.environment);
    await desk.sql.query('delete from mailboxes where email = $1', [signed]);

    expect(out).toContain(`amber  mailboxes     ${signed}: these addresses have the form`);
    expect((await runCli(['doctor'], desk.environment)).out).toMatch(/^green {2}mailboxes/m);
  });
});
