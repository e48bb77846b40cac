import { SavedViewsService } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';
import type { SeededAccount } from '#test/support/seed.js';

const COUNT = 3;

/** Views of the account and of its owner. */
export async function keptViews(
  app: INestApplicationContext,
  { id: accountId, owner }: SeededAccount,
): Promise<string[]> {
  const context = { accountId, agentId: owner.id, role: 'owner', applicationId: null, requestId: null } as const;
  const views = app.get(SavedViewsService, { strict: false });
  const ids: string[] = [];
  for (let place = 0; place < COUNT; place++) {
    const wanted = { name: `View ${place}`, query: 'folder=open&q=hello' };
    for (const shared of [true, false]) ids.push((await views.keep(context, { ...wanted, shared })).id);
  }
  return ids;
}
