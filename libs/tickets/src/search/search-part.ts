import type { TicketStateFilter } from '../lists/ticket-states.js';
import type { Word } from './words.js';

/** One condition of a search. */
export type SearchPart =
  | {
      readonly kind: 'words';
      readonly words: readonly Word[];
      readonly asTheyAre: boolean;
      /** Set if the word may also be a ticket number. */
      readonly number: number | null;
    }
  | { readonly kind: 'number'; readonly number: number | null }
  | { readonly kind: 'customer'; readonly words: readonly Word[]; readonly asTheyAre: boolean }
  | { readonly kind: 'assignee'; readonly who: string }
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'state'; readonly state: TicketStateFilter | 'open' }
  | { readonly kind: 'attachment' }
  | { readonly kind: 'created'; readonly side: 'before' | 'after'; readonly time: Date }
  | { readonly kind: 'unanswered' };

export type SoughtPart = SearchPart & { readonly excluded: boolean };
