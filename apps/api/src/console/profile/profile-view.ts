import type { OpenSession, PersonalToken } from '#libs/access';
import type { Scope } from '#libs/entities';
import type { Faults } from '../parts/form.js';

export interface ProfileView {
  readonly sessions: readonly OpenSession[];
  readonly currentSession: string;
  readonly grants: readonly AuthorisedApplication[];
  readonly tokens: readonly PersonalToken[];
  /** Seen once: only its digest is kept. */
  readonly issued: string | null;
  readonly faults: Faults;
  readonly refused: string | null;
}

export interface AuthorisedApplication {
  readonly grantId: string;
  readonly application: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}
