import type { AuthorisedApplication, OpenSession, PersonalToken } from '#libs/access';
import type { FormErrors } from '../form-submission.js';

export interface ProfileView extends FormErrors {
  readonly sessions: readonly OpenSession[];
  readonly currentSession: string;
  readonly applications: readonly AuthorisedApplication[];
  readonly tokens: readonly PersonalToken[];
  /** Shown once: only a digest of the token is stored. */
  readonly newToken: string | null;
}
