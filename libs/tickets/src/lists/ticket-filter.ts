import type { TicketPriority } from '#libs/entities';
import type { SearchPlan } from '../search/search-conditions.js';
import type { FolderId, TicketStateFilter } from './folders.js';

/** "No value" in a query string or form, which have no null. */
export const NONE = 'none';

export interface TicketFilter {
  readonly folder?: FolderId | undefined;
  readonly customer?: string | undefined;
  /** Email or id; null for unassigned tickets. */
  readonly assignee?: string | null | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly states?: readonly TicketStateFilter[] | undefined;
  readonly mailbox?: string | undefined;
  readonly priority?: TicketPriority | null | undefined;
  readonly externalId?: string | undefined;
  readonly createdSince?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedSince?: Date | undefined;
  readonly search: SearchPlan;
}
