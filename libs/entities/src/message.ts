import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Agent } from './agent.js';
import type { Attachment } from './attachment.js';
import { Customer } from './customer.js';
import type { Application } from './oauth.js';
import { Ticket } from './ticket.js';

export type AttachedFile = Readonly<Omit<Attachment, 'servedType'>>;

export type NamedApplication = Readonly<Pick<Application, 'clientId' | 'name'>>;

export interface MailedCopy {
  readonly recipient: string;
  readonly state: OutgoingMailState;
  readonly reason: string | null;
}

/** How a page shows a body. `text_of_html` is the text of HTML that could not be sanitized. */
export type BodyForm = 'text' | 'html' | 'text_of_html';

export const MESSAGE_CHANNELS = ['email'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

@Entity('messages')
export class Message {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' }) @Column('uuid') ticketId: string;
  @Column('uuid', { nullable: true }) authorAgentId: string | null;
  @ForeignKey(() => Customer) @Column('uuid', { nullable: true }) authorCustomerId: string | null;
  /** Null for the console, for personal access tokens and for emails. */
  @Column('uuid', { nullable: true }) applicationId: string | null;
  @Column('boolean') note: boolean;
  /** As sent. HTML in it is not sanitized. */
  @Column('text') body: string;
  @Column('text') plainTextBody: string;
  /** Null if the renderer was busy: the body is rendered when it is first shown. */
  @Column('text', { nullable: true }) shownAs: BodyForm | null;
  /** Loaded apart, because only pages need it. */
  @Column('text', { nullable: true }) safeHtml: string | null;
  /** Empty for notes. */
  @Column('text', { array: true, default: [] }) toAddresses: readonly string[];
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[];
  /** Null for the console and the API. */
  @Column('text', { nullable: true }) channel: MessageChannel | null;
  @Column('timestamptz', { nullable: true }) sentAt: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  author: Agent | Customer;
  application: NamedApplication | null;
  /** Emails and names of the agents that a note mentions. */
  mentioned: readonly string[];
  /** The customer, or the assignee of the ticket. Null for a note. */
  recipient: Agent | Customer | null;
  ticketNumber: number;
  /** A program wrote it, as its mail says. Not stored. */
  automatic?: boolean | undefined;
  delivery: OutgoingMailState | null;
  deliveryReason: string | null;
  copies: readonly MailedCopy[];
  verdicts: SenderVerdicts | null;
  attachments: readonly AttachedFile[];

  /** Imported messages have their own date. */
  writtenAt(): Date {
    return this.sentAt ?? this.createdAt;
  }
}

/**
 * `queued`: waiting, in progress or to be retried. `failed`: rejected by the first server. `bounced`: rejected by a later one.
 * `unsure`: may have arrived, so only a person can retry it. `caught`: kept by the trial mode.
 */
export const OUTGOING_MAIL_STATES = ['queued', 'sent', 'bounced', 'failed', 'unsure', 'caught'] as const;
export type OutgoingMailState = (typeof OUTGOING_MAIL_STATES)[number];

export const SENDER_CHECKS = ['spf', 'dkim', 'dmarc'] as const;
/** The result codes of RFC 8601. */
export const SENDER_RESULTS = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] as const;
export type SenderResult = (typeof SENDER_RESULTS)[number];

/** Null for a check that was not made. */
export type SenderVerdicts = Readonly<Record<(typeof SENDER_CHECKS)[number], SenderResult | null>>;
