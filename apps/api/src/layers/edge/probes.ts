/** Orchestrators poll these every few seconds. */
export const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
