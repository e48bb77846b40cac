import { PersonalTokensService } from '#libs/access';
import { Database } from '#libs/database';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();

describe('a person', () => {
  it('can create at most 10 personal access tokens an hour', async () => {
    const person = await oauth.person();
    const page = await person.get('/profile');
    const make = (n: number) =>
      person.submit(page, '/profile/tokens', { name: `Script ${n}`, scope: 'read', days: '30', proof: PASSWORD });
    const statuses = [];
    for (let n = 0; n < 10; n++) statuses.push((await make(n)).status);
    const refused = await make(10);
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('Try again in 60 min.');
    expect((await make(11)).status).toBe(200);
  });

  it('can have at most 50 personal access tokens, with simultaneous requests too', async () => {
    const { id: agentId } = await oauth.agent();
    const account = oauth.desk.api.get(Database).account(oauth.desk.account.id);
    const tokens = oauth.desk.api.get(PersonalTokensService);
    await oauth.desk.sql.query('delete from tokens using grants g where g.id = grant_id and g.agent_id = $1', [
      agentId,
    ]);
    const make = (n: number) =>
      account.transaction((tx) => tokens.create(tx, { agentId, name: `Script ${n}`, scopes: ['read'] }));
    const made = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => make(n)));
    const reasons = made.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));

    expect(reasons).toEqual(Array.from({ length: 10 }, () => 'too_many_tokens'));
    expect(await tokens.list(oauth.desk.account.id, agentId)).toHaveLength(50);
  });
});
