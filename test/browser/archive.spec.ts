// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { inviteAgent, ticketFromAna } from '#test/support/desk-records.js';
import { csrfOn, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  page = await console.signedIn();
});

const client = () => console.desk.client();
const assigneeOf = async (number: number): Promise<string | null> => (await ticketOf(console.desk, number)).assignee;

async function leaver() {
  const { id, email } = await inviteAgent(console.desk);
  const tickets = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
  const closed = await ticketFromAna(console.desk);
  for (const number of [...tickets, closed]) await client().put(`/v1/tickets/${number}/assignee`, { assignee: email });
  await client().put(`/v1/tickets/${tickets[1]}/snoozed_until`, { snoozed_until: '2050-01-01T00:00:00Z' });
  await client().put(`/v1/tickets/${closed}/state`, { state: 'closed' });
  return { id: id as string, email: email as string, tickets, closed };
}

const rowOf = ({ email }: { email: string }) => page.getByRole('row').filter({ hasText: email });

async function archive(agent: { id: string; email: string }, choice?: string): Promise<void> {
  await page.goto('/settings/agents');
  await rowOf(agent).getByRole('button', { name: 'Archive…' }).click();
  const dialog = page.locator(`#archive-${agent.id}`);
  expect(await dialog.evaluate('(dialog) => getComputedStyle(dialog).textAlign', undefined)).not.toBe('right');
  if (choice) await dialog.getByLabel('Give the 2 open tickets to').selectOption(choice);
  await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByText(`${agent.email} archived.`).waitFor();
}

describe('archiving an agent', () => {
  it('unassigns the open tickets by default, and leaves the closed ones', async () => {
    const agent = await leaver();
    await archive(agent);
    await page.getByText('2 tickets unassigned.').waitFor();
    for (const number of agent.tickets) expect(await assigneeOf(number)).toBeNull();
    expect(await assigneeOf(agent.closed)).toBe(agent.email);
  });

  it('assigns the open tickets to the chosen agent', async () => {
    const agent = await leaver();
    await archive(agent, 'Maya Lind');
    for (const number of agent.tickets) expect(await assigneeOf(number)).toBe(console.desk.account.owner.email);
  });

  it('leaves the tickets on request, lists them, and allows reassigning them later', async () => {
    const agent = await leaver();
    await archive(agent, 'Leave with Noor Berg');
    for (const number of agent.tickets) expect(await assigneeOf(number)).toBe(agent.email);
    await rowOf(agent).getByRole('link', { name: '2', exact: true }).click();
    await page.locator(`#row-${agent.tickets[0]}`).waitFor();

    await page.goto('/settings/agents');
    await rowOf(agent).getByRole('button', { name: 'Reassign tickets…' }).click();
    await page.locator(`#reassign-${agent.id}`).getByRole('button', { name: 'Reassign', exact: true }).click();
    await page.getByText('2 tickets unassigned.').waitFor();
    for (const number of agent.tickets) expect(await assigneeOf(number)).toBeNull();
    expect(await rowOf(agent).getByRole('button', { name: 'Reassign tickets…' }).count()).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });

  it('changes nothing when the new assignee is archived', async () => {
    const [gone, agent] = [await leaver(), await leaver()];
    await archive(gone);
    const csrf = await csrfOn(page);
    const form = { csrf, assignee: gone.email };
    const answer = await page.request.post(`/settings/agents/${agent.id}/archive`, { form });
    expect(answer.status()).toBe(422);
    expect((await client().get(`/v1/agents/${agent.email}`)).body.agent.state).not.toBe('archived');
  });
});
