import type { AuthorisedApplication, OpenSession, PersonalToken } from '#libs/access';
import type { FormErrors } from '../form-submission.js';

export interface ProfileView extends FormErrors {
  readonly sessions: readonly OpenSession[];
  readonly currentSession: string;
  readonly applications: readonly AuthorisedApplication[];
  readonly tokens: readonly PersonalToken[];
  /** Seen once: only its digest is kept. */
  readonly newToken: string | null;
}
