import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addSavedReply, inviteAgent, newEmail } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

const desk = deskForFile();
const PATH = '/v1/saved_replies';

const colleague = async () => desk.client((await seedAgent(desk.sql, desk.account.id, { role: 'agent' })).token);

const fields = (more: object = {}) => ({ name: newEmail('reply'), body: 'Thank you.', ...more });

describe('a saved reply', () => {
  it('has the fields that it was given, and is private unless shared', async () => {
    const { email } = await inviteAgent(desk);
    const wanted = { name: 'Refund', body: 'Hi {{customer}}', tags: ['refund'], state: 'closed', assignee: email };
    const { status, body, headers } = await desk.client().post(PATH, wanted);
    const { saved_reply: reply } = body;

    expect(status).toBe(201);
    expect(Object.keys(reply)).toEqual('id name body shared tags state assignee created_at updated_at href'.split(' '));
    expect(reply).toMatchObject({ ...wanted, shared: false });
    expect(headers.get('location')).toBe(reply.href);
    expect((await desk.client().get(`${PATH}/${reply.id}`)).body).toEqual({ saved_reply: reply });
  });

  it('changes only the fields that are sent, and clears those that are null', async () => {
    const { id } = await addSavedReply(desk, { tags: ['a'], state: 'pending', assignee: desk.account.owner.email });
    await desk.client().patch(`${PATH}/${id}`, { body: 'New text.' });
    const { saved_reply: reply } = (
      await desk.client().patch(`${PATH}/${id}`, { state: null, assignee: null, tags: [] })
    ).body;

    expect(reply).toMatchObject({ body: 'New text.', shared: true, state: null, assignee: null, tags: [] });
  });

  it('is found, changed and deleted only by its owner, unless it is shared', async () => {
    const client = await colleague();
    const own = await addSavedReply(desk, { shared: false });
    const shared = await addSavedReply(desk);
    const answers = await Promise.all([
      client.get(`${PATH}/${own.id}`),
      client.patch(`${PATH}/${own.id}`, { body: 'Mine' }),
      client.delete(`${PATH}/${own.id}`),
    ]);
    const listed = (await client.get(`${PATH}?per_page=50`)).body.saved_replies.map(({ id }: { id: string }) => id);

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      answers.map(() => [404, 'saved_reply_not_found']),
    );
    expect(listed).toContain(shared.id);
    expect(listed).not.toContain(own.id);
    expect((await client.patch(`${PATH}/${shared.id}`, { body: 'Ours' })).status).toBe(200);
    expect((await client.delete(`${PATH}/${shared.id}`)).status).toBe(204);
  });

  it('has a name that is unique in any case among those with the same owner', async () => {
    const client = await colleague();
    const wanted = fields({ name: 'Grüße ' });
    expect((await client.post(PATH, wanted)).body.saved_reply.name).toBe('Grüße');
    expect((await client.post(PATH, { ...wanted, shared: true })).status).toBe(201);
    expect((await desk.client().post(PATH, wanted)).status).toBe(201);

    const again = await client.post(PATH, { ...wanted, name: 'GRÜSSE'.replace('SS', 'ß') });
    expect([again.status, again.body.error]).toEqual([409, 'saved_reply_exists']);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ body: '' }, 'body'],
    [{ body: 'x'.repeat(20_001) }, 'body'],
    [{ body: null }, 'body'],
    [{ tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, 'tags'],
    [{ state: 'spam' }, 'state'],
    [{ assignee: 'nobody@acme.test' }, 'assignee'],
    [{ shared: 'perhaps' }, 'shared'],
  ])('returns 422 for %j, and adds and changes nothing', async (wrong, field) => {
    const { id, updated_at: updatedAt } = await addSavedReply(desk);
    for (const answer of [
      await desk.client().post(PATH, fields(wrong)),
      await desk.client().patch(`${PATH}/${id}`, wrong),
    ])
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, field]);
    expect((await desk.client().get(`${PATH}/${id}`)).body.saved_reply.updated_at).toBe(updatedAt);
  });

  it('refuses an archived assignee', async () => {
    const { email } = await inviteAgent(desk);
    await desk.client().post(`/v1/agents/${email}/archive`);
    const { status, body } = await desk.client().post(PATH, fields({ assignee: email }));
    expect([status, body.errors]).toMatchObject([422, [{ field: 'assignee' }]]);
  });

  it('is written to the audit when it is added, changed and deleted', async () => {
    const { id, name } = await addSavedReply(desk);
    await desk.client().patch(`${PATH}/${id}`, { body: 'New' });
    await desk.client().delete(`${PATH}/${id}`);
    const { rows } = await desk.sql.query('select kind from activities where subject = $1 order by id', [name]);

    expect(rows.map(({ kind }) => kind)).toEqual(['saved_reply_created', 'saved_reply_changed', 'saved_reply_deleted']);
  });
});
