import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';

const desk = deskForFile();

describe('the customers', () => {
  it('can be added once, changed field by field, and found by id or email in any case', async () => {
    const email = newEmail();
    const kinds = await eventKindsEmittedBy(desk, () =>
      desk.client().post('/v1/customers', { email, about: 'Tall', custom: { n: 1 } }),
    );
    const again = await desk.client().post('/v1/customers', { email: email.toUpperCase() });
    const patched = await desk
      .client()
      .patch(`/v1/customers/${email.toUpperCase()}`, { first_name: 'Ann', about: null });
    const { customer } = patched.body;

    expect(kinds).toEqual(['customer_added']);
    expect([again.status, again.body.error]).toEqual([409, 'customer_exists']);
    expect(customer).toMatchObject({ first_name: 'Ann', name: 'Ann', about: null, custom: { n: 1 } });
    expect((await desk.client().get(`/v1/customers/${customer.id}`)).body.customer).toEqual(customer);
    expect((await desk.client().get(`/v1/customers/${encodeURIComponent(email)}`)).body.customer).toEqual(customer);
  });

  it('have a name that also fits as a first name', async () => {
    const fits = await desk.client().post('/v1/customers', { email: newEmail(), name: 'x'.repeat(200) });
    const tooLong = await desk.client().post('/v1/customers', { email: newEmail(), name: 'x'.repeat(201) });

    expect([fits.status, fits.body.customer.first_name]).toEqual([201, 'x'.repeat(200)]);
    expect([tooLong.status, tooLong.body.errors[0].field]).toEqual([422, 'name']);
  });

  it('cannot be deleted while they have a ticket', async () => {
    const from = newEmail();
    const { number } = await startTicket(desk, { from });

    const refused = await desk.client().delete(`/v1/customers/${from}`);
    await desk.client().delete(`/v1/tickets/${number}`);
    const removed = await desk.client().delete(`/v1/customers/${from}`);

    expect([refused.status, refused.body.error, removed.status]).toEqual([409, 'customer_has_tickets', 204]);
    expect((await desk.client().get(`/v1/customers/${from}`)).status).toBe(404);
  });
});

describe('the agents', () => {
  it('can be invited, archived and restored, with one event or activity each', async () => {
    const email = newEmail('agent');
    const path = `/v1/agents/${email}`;

    const kinds = await eventKindsEmittedBy(desk, async () => {
      await desk.client().post('/v1/agents', { email, first_name: 'Noor' });
      await desk.client().post(`${path}/archive`);
      await desk.client().post(`${path}/archive`);
      await desk.client().post(`${path}/restore`);
    });

    expect(kinds).toEqual(['agent_invited', 'agent_archived']);
    expect((await desk.client().get(path)).body.agent).toMatchObject({ state: 'invited', role: 'agent' });
    expect((await desk.client().post('/v1/agents', { email })).body.error).toBe('agent_exists');
  });

  it('keep their password unwritten when other columns change', async () => {
    await desk.sql.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'written'; end $$`,
    );
    await desk.sql.query(`create trigger refuse before update of password_hash on agents execute function refuse()`);
    const path = `/v1/agents/${(await inviteAgent(desk)).id}`;

    const changed = await desk.client().put(path, { first_name: 'New', last_name: 'Name', role: 'admin' });
    const archived = await desk.client().post(`${path}/archive`);
    const restored = await desk.client().post(`${path}/restore`);
    await desk.sql.query('drop function refuse cascade');

    expect([changed, archived, restored].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(archived.body.agent).toMatchObject({
      first_name: 'New',
      last_name: 'Name',
      role: 'admin',
      state: 'archived',
    });
    expect((await desk.client().get(path)).body.agent).toEqual(restored.body.agent);
  });

  it('always include an owner', async () => {
    const owner = `/v1/agents/${desk.account.owner.email}`;

    expect((await desk.client().post(`${owner}/archive`)).body.error).toBe('last_owner');
    expect((await desk.client().put(owner, { role: 'admin' })).body.error).toBe('last_owner');
  });
});

describe('the groups and mailboxes', () => {
  it('refuse unknown members, and name each', async () => {
    const members = ['no1@acme.test', desk.account.owner.email, 'no2@acme.test'];

    const { status, body } = await desk.client().post('/v1/groups', { name: 'Unknowns', members });

    expect([status, body.errors.length]).toEqual([422, 2]);
    expect(body.detail).toMatch(/no1@acme\.test.*no2@acme\.test/);
  });

  it('show the members of a group, also at the ticket assigned to it', async () => {
    const agent = await inviteAgent(desk);
    const group = await addGroup(desk);
    const { number } = await startTicket(desk, { assigned_group: group.name });
    const change = async (fields: object) => (await desk.client().put(`/v1/groups/${group.id}`, fields)).body.group;
    const members = [agent.email, desk.account.owner.email].toSorted((one, other) => (one < other ? -1 : 1));
    await change({ members });
    const renamed = await change({ name: `${group.name} again` });

    expect([group.members, renamed.members]).toEqual([[], members]);
    expect((await desk.client().get(`/v1/tickets/${number}/assigned_group`)).body).toEqual({ group: renamed });
    expect((await change({ agents: [] })).members).toEqual([]);
  });

  it('list their members or tickets, and can be deleted when no ticket is left', async () => {
    const agent = await inviteAgent(desk);
    const [group, mailbox] = [await addGroup(desk, { members: [agent.email] }), await addMailbox(desk)];
    const { number } = await startTicket(desk, { assigned_group: group.name, mailbox: mailbox.name });
    const paths = [`/v1/groups/${group.id}`, `/v1/mailboxes/${mailbox.id}`];

    const members = await desk.client().get(`/v1/agents?group=${group.id}`);
    const groups = await desk.client().get(`/v1/groups?agent=${encodeURIComponent(agent.email)}`);
    const refused = await Promise.all(paths.map((path) => desk.client().delete(path)));
    await desk.client().put(`/v1/tickets/${number}/assigned_group`, { assigned_group: null });
    await desk.client().put(`/v1/tickets/${number}/mailbox`, { mailbox: desk.account.mailbox.name });
    const removed = await Promise.all(paths.map((path) => desk.client().delete(path)));

    expect(members.body.agents).toEqual([agent]);
    expect(groups.body.groups).toEqual([group]);
    expect(refused.map(({ body }) => body.error)).toEqual(['group_in_use', 'mailbox_in_use']);
    expect(removed.map(({ status }) => status)).toEqual([204, 204]);
  });
});
