import { PasswordsService } from '#libs/access';
import type { AgentRole } from '#libs/entities';
import { beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskWithMails } from '../../oauth/support/oauth-desk-for-file.js';
import { type Person, csrfOf } from '../../oauth/support/person.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { beginRival, lockWaiters, lockWaits } from '#test/support/rival.js';
import { type SeededAgent, seedAgent } from '#test/support/seed.js';
import { letApplicationIn, registerWebhook } from '#test/support/webhooks.js';

const [oauth, mails] = oauthDeskWithMails();
let receiver: Receiver;
let owner: Member;
beforeAll(async () => {
  receiver = await oauth.desk.receiver();
  owner = await member('owner');
  await oauth.desk.worker();
});

interface Member extends SeededAgent {
  readonly person: Person;
  post(path: string, fields?: Record<string, string>): ReturnType<Person['post']>;
}

async function member(role: AgentRole): Promise<Member> {
  const { desk } = oauth;
  const agent = await seedAgent(desk.sql, desk.account.id, { role });
  await desk.api.get(PasswordsService).set(desk.account.id, agent.id, PASSWORD);
  const person = await oauth.person(agent.email);
  const csrf = csrfOf(await person.get('/profile'));
  return { ...agent, person, post: (path, fields = {}) => person.post(path, { csrf, ...fields }) };
}

/** Makes a webhook in the console and returns its id. */
async function webhookOf(maker: Member, event: string, path: string): Promise<string> {
  const { location } = await maker.post('/settings/webhooks', { url: new URL(path, receiver.url).href, event });
  return new URL(location ?? '', oauth.base).searchParams.get('id') ?? '';
}

const stateOf = async (id: string): Promise<string> => {
  const { webhook } = (await oauth.desk.client().get(`/v1/webhooks/${id}`)).body;
  return `${webhook.state} ${webhook.disabled_reason}`;
};

const archivedBy: Readonly<Record<string, (agent: SeededAgent) => Promise<{ status: number }>>> = {
  REST: ({ email }) => oauth.desk.client().post(`/v1/agents/${email}/archive`),
  'the console': ({ id }) => owner.post(`/settings/agents/${id}/archive`),
};

const paths = () => receiver.requests.map(({ path }) => path);

describe.each(Object.keys(archivedBy))('archiving an admin over %s', (way) => {
  it('stops the webhooks that the admin made in the console, and no others', async () => {
    const [admin, other] = [await member('admin'), await member('admin')];
    const [event, name] = ['ticket_started', way.replace(' ', '-')];
    const stopped = await webhookOf(admin, event, `/${name}/stopped`);
    const kept = await webhookOf(other, event, `/${name}/kept`);

    const { status } = await archivedBy[way]!(admin);
    await startTicket(oauth.desk);

    expect([200, 303]).toContain(status);
    expect(await stateOf(stopped)).toBe('disabled access_revoked');
    expect(await stateOf(kept)).toBe('active null');
    await eventually(() => paths().includes(`/${name}/kept`));
    expect(paths()).not.toContain(`/${name}/stopped`);
  });
});

describe('a webhook of the console whose maker was archived', () => {
  it('causes one notice to each owner and admin for all webhooks of a URL, and is explained in the console', async () => {
    const admin = await member('admin');
    const id = await webhookOf(admin, 'ticket_opened', '/reported');
    await webhookOf(admin, 'ticket_closed', '/reported');
    await archivedBy['REST']!(admin);

    const { host } = new URL(receiver.url);
    const mail = await eventually(() => mails.mails.find((text) => text.includes('no longer sends ticket_closed')));
    const told = await oauth.desk.sql.query(
      "select recipient from outgoing_mails where kind = 'webhook_notice' and detail->>'event' = 'ticket_closed, ticket_opened'",
    );
    const recipients = told.rows.map(({ recipient }: { recipient: string }) => recipient);
    expect(mail).toContain(`no longer sends ticket_closed, ticket_opened events to ${host}.`);
    expect(mail).toContain('The agent who created it was archived.');
    expect(new Set(recipients).size).toBe(recipients.length);
    expect(recipients).toContain(owner.email);
    expect(recipients).not.toContain(admin.email);
    const { html } = await owner.person.get(`/settings/webhooks/${id}`);
    expect(html).toContain('The agent who created it was archived. Resume it if you still need it.');
  });

  it.each(['owner', 'admin'] as const)('can be resumed by an %s, and then goes on', async (role) => {
    const [admin, manager] = [await member('admin'), await member(role)];
    const id = await webhookOf(admin, 'ticket_started', `/resumed-by-${role}`);
    await archivedBy['REST']!(admin);

    const { status } = await manager.post(`/settings/webhooks/${id}/state`, { state: 'active' });
    await startTicket(oauth.desk);

    expect(status).toBe(303);
    await eventually(() => paths().includes(`/resumed-by-${role}`));
    const { rows } = await oauth.desk.sql.query(
      "select agent_id as by from activities where kind = 'webhook_changed' and detail->>'webhook' = $1",
      [id],
    );
    expect(rows).toEqual([{ by: manager.id }]);
  });

  it('stays as it is when the maker is restored', async () => {
    const admin = await member('admin');
    const [stopped, resumed] = [
      await webhookOf(admin, 'note_added', '/restored/stopped'),
      await webhookOf(admin, 'note_added', '/restored/resumed'),
    ];
    await archivedBy['REST']!(admin);
    await owner.post(`/settings/webhooks/${resumed}/state`, { state: 'active' });

    await oauth.desk.client().post(`/v1/agents/${admin.email}/restore`);

    expect([await stateOf(stopped), await stateOf(resumed)]).toEqual(['disabled access_revoked', 'active null']);
  });
});

const USED = 'select from grants where application_id = $1 and last_used_at is not null';

/** Starts `end` while the transaction of `make` waits before its last steps. Returns what was made. */
async function makeWhile<T>(make: () => Promise<T>, end: () => Promise<unknown>): Promise<T> {
  const rival = await beginRival(oauth.desk);
  try {
    await rival.query('lock table webhook_secrets in share mode');
    const making = make();
    await lockWaits(oauth.desk);
    let hasEnded = false;
    const ending = end().finally(() => (hasEnded = true));
    await eventually(async () => hasEnded || (await lockWaiters(oauth.desk)) === 2);
    await rival.query('commit');
    await ending;
    return await making;
  } finally {
    await rival.end();
  }
}

describe('a webhook that is made while the access of its maker ends', () => {
  it('stops with the archiving of its maker', async () => {
    const admin = await member('admin');
    const id = await makeWhile(
      () => webhookOf(admin, 'note_added', '/late'),
      () => archivedBy['REST']!(admin),
    );

    expect(await stateOf(id)).toBe('disabled access_revoked');
  });

  it('stops with the application’s access', async () => {
    const client = await letApplicationIn(oauth.desk, 'Late', owner.id);
    const { rows } = await oauth.desk.sql.query("select id from applications where name = 'Late'");
    await client.get('/v1/webhooks');
    // The note of its first use would wait for the lock of the grant as well.
    await eventually(async () => (await oauth.desk.sql.query(USED, [rows[0].id])).rowCount === 1);
    const revoke = () => owner.post(`/settings/applications/${rows[0].id}/revoke`);
    const webhook = await makeWhile(() => registerWebhook(client, 'note_added'), revoke);

    expect(await stateOf(webhook.id)).toBe('disabled access_revoked');
  });
});

describe('the dialog that archives an agent', () => {
  it('says how many and which webhooks stop, and how to go on', async () => {
    const [admin, none] = [await member('admin'), await member('admin')];
    await webhookOf(admin, 'ticket_opened', '/secret-path');
    await webhookOf(admin, 'ticket_closed', '/secret-path');

    const { html } = await owner.person.get('/settings/agents');
    const dialogOf = ({ id }: Member) => html.slice(html.indexOf(`<dialog id="archive-${id}"`)).split('</dialog>')[0]!;

    const { host } = new URL(receiver.url);
    expect(dialogOf(admin)).toContain(
      `2 webhooks stop: ticket_closed to ${host}, ticket_opened to ${host}. Owners and admins can resume them under Webhooks.`,
    );
    expect(dialogOf(none)).not.toMatch(/webhooks? stops?:/);
    expect(html).not.toContain('secret-path');
  });
});

describe('a webhook of the console whose maker became a plain agent', () => {
  it('goes on, and its maker can pause and delete it, but not move or activate it', async () => {
    const admin = await member('admin');
    const id = await webhookOf(admin, 'ticket_started', '/demoted');
    await oauth.desk.client().put(`/v1/agents/${admin.email}`, { role: 'agent' });
    const own = oauth.desk.client(admin.token);
    await startTicket(oauth.desk);

    await eventually(() => paths().includes('/demoted'));
    expect((await own.patch(`/v1/webhooks/${id}`, { state: 'paused' })).status).toBe(200);
    for (const change of [{ state: 'active' }, { url: 'https://elsewhere.example/' }])
      expect((await own.patch(`/v1/webhooks/${id}`, change)).body.error).toBe('role_not_allowed');
    expect((await admin.person.get(`/settings/webhooks/${id}`)).status).toBe(403);
    expect((await own.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  });
});
