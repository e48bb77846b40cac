import type { Scope } from '#libs/entities';

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  read: 'read',
  write: 'change tickets and customers',
  webhooks: 'manage its webhooks',
  admin: 'manage people and settings',
};

export const scopesLabel = (scopes: readonly Scope[]): string => scopes.map((scope) => SCOPE_LABELS[scope]).join(', ');
