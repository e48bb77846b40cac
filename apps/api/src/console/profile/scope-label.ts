import type { Scope } from '#libs/entities';

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'read',
  write: 'change tickets and customers',
  webhooks: 'manage its webhooks',
  admin: 'manage people and settings',
};

export const scopeWords = (scopes: readonly Scope[]): string => scopes.map((scope) => SCOPE_WORDS[scope]).join(', ');
