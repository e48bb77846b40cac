import { type AccountTx, Transactions, isUuid, uuidAt } from '#libs/database';
import { Conflict, InvalidField, NotFound, SavedView } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { normalized } from '../normalized.js';
import { type RequestContext, requireManager } from '../request-context.js';
import { type ListedView, PLACE_VIEWS, listViews } from './saved-view.statements.js';

const MAX_VIEWS = 50;

interface NewView extends Pick<SavedView, 'name' | 'query'> {
  readonly shared: boolean;
}

/** Agents keep private views. Managers change shared ones. */
@Injectable()
export class SavedViewsService {
  constructor(private readonly transactions: Transactions) {}

  list(context: RequestContext) {
    return listViews(this.transactions.account(context), context.agentId);
  }

  save(context: RequestContext, { name, query, shared }: NewView): Promise<SavedView> {
    if (shared) requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const view = Object.assign(new SavedView(), { id: uuidAt(now), createdAt: now });
      view.agentId = shared ? null : context.agentId;
      renameView(view, name);
      view.standFor(query);
      // Serialised, so that two requests cannot both take the last place.
      await tx.repository(SavedView).countInTurn();
      view.position = (await siblingsOf(tx, context, view)).length + 1;
      if (view.position > MAX_VIEWS)
        throw new Conflict('too_many_views', `A list has at most ${MAX_VIEWS} views. Delete one first.`);
      await tx.repository(SavedView).insert(view);
      return view;
    });
  }

  /** `place` is the position in its list, from 1. */
  change(context: RequestContext, id: string, name: string, place: number): Promise<SavedView> {
    return this.transactions.run(context, async (tx) => {
      // Before locking a view, because two requests that reorder views would deadlock.
      await tx.repository(SavedView).countInTurn();
      const view = await lockView(tx, context, id);
      renameView(view, name);
      await tx.repository(SavedView).update({ id }, { name: view.name, nameKey: view.nameKey });
      const ids = (await siblingsOf(tx, context, view)).map((sibling) => sibling.id).filter((other) => other !== id);
      await tx.rows(PLACE_VIEWS, [ids.toSpliced(Math.max(place, 1) - 1, 0, id)]);
      return view;
    });
  }

  remove(context: RequestContext, id: string): Promise<SavedView> {
    return this.transactions.run(context, async (tx) => {
      const view = await lockView(tx, context, id);
      await tx.repository(SavedView).delete({ id });
      return view;
    });
  }
}

/** Private views of others are reported as not found. */
async function lockView(tx: AccountTx, context: RequestContext, id: string): Promise<SavedView> {
  const view = isUuid(id) ? await tx.repository(SavedView).lock({ id }) : null;
  if (!view || (view.agentId !== null && view.agentId !== context.agentId)) throw new NotFound('view');
  if (view.agentId === null) requireManager(context);
  return view;
}

async function siblingsOf(tx: AccountTx, context: RequestContext, { agentId }: SavedView): Promise<ListedView[]> {
  return (await listViews(tx, context.agentId)).views.filter((view) => view.agentId === agentId);
}

/** As many as fit in a line of the sidebar. */
const MAX_NAME_CHARACTERS = 60;

/** Throws if the view cannot have this name. */
function renameView(view: SavedView, text: string): void {
  const name = normalized(text, 'NFC').replaceAll(/\s+/gu, ' ').trim();
  if (name === '') throw new InvalidField('name', 'required', 'name is missing');
  if (Array.from(name).length > MAX_NAME_CHARACTERS)
    throw new InvalidField('name', 'too_long', `name has more than ${MAX_NAME_CHARACTERS} characters`);
  if (/\p{Cc}|\p{Surrogate}/u.test(name))
    throw new InvalidField('name', 'malformed', 'name has characters that cannot be shown');
  view.name = name;
  view.nameKey = normalized(name, 'NFKC').toLowerCase();
}
