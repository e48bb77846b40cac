import type { AuthorisedApplication, OpenSession, PersonalToken } from '#libs/access';
import type { Faults } from '../../pages/parts/form.js';

export interface ProfileView {
  readonly sessions: readonly OpenSession[];
  readonly currentSession: string;
  readonly applications: readonly AuthorisedApplication[];
  readonly tokens: readonly PersonalToken[];
  /** Seen once: only its digest is kept. */
  readonly issued: string | null;
  readonly faults: Faults;
  readonly refused: string | null;
}
