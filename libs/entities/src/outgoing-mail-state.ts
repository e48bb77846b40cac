/**
 * `queued` waits, is being sent, or is tried again. `failed` was refused for good, and `bounced` was refused by a server
 * further on. Of an `unsure` one nobody knows whether it arrived, so only a person has it sent again. A trial has `caught` what
 * it would have sent.
 */
export const OUTGOING_MAIL_STATES = ['queued', 'sent', 'bounced', 'failed', 'unsure', 'caught'] as const;
export type OutgoingMailState = (typeof OUTGOING_MAIL_STATES)[number];
