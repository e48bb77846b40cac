import { createHash } from 'node:crypto';

/**
 * Says which password of an agent is meant, for whoever takes a step of a sign-in after it was verified. A digest, so
 * that the hash itself stays in the database. Nothing for an agent without a password.
 */
export const passwordVersion = (agents: string): string => `sha256(convert_to(${agents}.password_hash, 'UTF8'))`;

/** The same of a hash that is being stored. */
export const versionOf = (passwordHash: string): Buffer => createHash('sha256').update(passwordHash).digest();

/** Steps that need no password give none. Under a lock of the agent, a change of password is either seen or waits. */
export const isStillVersion = (agents: string, parameter: string): string =>
  `(${parameter}::bytea is null or ${passwordVersion(agents)} = ${parameter})`;
