import type { AuthorisedApplication, OpenSession, PersonalToken } from '#libs/access';
import type { FieldErrors } from '../../pages/parts/form.js';

export interface ProfileView {
  readonly sessions: readonly OpenSession[];
  readonly currentSession: string;
  readonly applications: readonly AuthorisedApplication[];
  readonly tokens: readonly PersonalToken[];
  /** Seen once: only its digest is kept. */
  readonly newToken: string | null;
  readonly faults: FieldErrors;
  readonly formError: string | null;
}
