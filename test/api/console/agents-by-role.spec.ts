import { AGENT_ROLES, AGENT_STATES, type AgentRole, type AgentState } from '#libs/entities';
import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { seedAgent } from '#test/support/seed.js';

const oauth = await OAuthDesk.start();
afterAll(() => oauth.stop());

async function target(role: AgentRole, state: AgentState): Promise<string> {
  const { id } = await seedAgent(oauth.desk.sql, oauth.desk.account.id, { role });
  await oauth.desk.sql.query('update agents set state = $2 where id = $1', [id, state]);
  return id;
}

interface Action {
  readonly path: string;
  readonly fields?: Record<string, string>;
  /** For an actor whose role allows it. */
  readonly status: (state: AgentState) => number;
}

const ACTIONS: readonly Action[] = [
  { path: 'role', fields: { role: 'admin' }, status: () => 303 },
  { path: 'archive', status: () => 303 },
  { path: 'restore', status: () => 303 },
  // Without a mail server, the page shows the link.
  { path: 'invite', status: (state) => (state === 'invited' ? 200 : 409) },
  // None of them has set it up.
  { path: 'reset-two-factor', status: () => 409 },
];

const mayAct = (actor: AgentRole, on: AgentRole): boolean => actor === 'owner' || (actor === 'admin' && on !== 'owner');

describe.each(AGENT_ROLES)('the forms of the list of agents, sent by an agent with the role %s', (actor) => {
  it.each(ACTIONS)(
    'follow the roles of both, whatever the state of the other: $path',
    async ({ path, fields, status }) => {
      const person = await oauth.colleague(actor);
      for (const role of AGENT_ROLES)
        for (const state of AGENT_STATES) {
          const answer = await person.act(`/settings/agents/${await target(role, state)}/${path}`, fields);
          const expected = mayAct(actor, role) ? status(state) : 403;
          const showsLink = answer.html.includes('/set-password/');
          expect([role, state, answer.status, showsLink]).toEqual([role, state, expected, expected === 200]);
        }
    },
  );
});
