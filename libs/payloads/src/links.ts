import type { DownloadTokens } from './download-tokens.js';

export class Links {
  readonly base: string;

  constructor(
    publicUrl: string,
    readonly downloadTokens?: DownloadTokens,
  ) {
    this.base = withoutSlashAtEnd(publicUrl);
  }

  record = (resource: string, id: string): string => `${this.base}/v1/${resource}/${id}`;
  webhooks = (): string => `${this.base}/v1/webhooks`;
  replays = (): string => `${this.base}/v1/replays`;
  webhookKeys = (webhookId: string): string => `${this.base}/.well-known/webhooks-keys.json?webhook=${webhookId}`;
  ticket = (number: number): string => `${this.base}/v1/tickets/${number}`;
  ticketState = (number: number): string => `${this.ticket(number)}/state`;
  ticketMessages = (number: number): string => `${this.ticket(number)}/messages`;
  ticketsOfCustomer = (email: string): string => `${this.base}/v1/tickets?customer=${encodeURIComponent(email)}`;
  ticketsOfAgent = (email: string): string => `${this.base}/v1/tickets?assignee=${encodeURIComponent(email)}`;
  /** Email addresses stay readable in a path, as in the specification. */
  customer = (email: string): string => `${this.base}/v1/customers/${rawEmail(email)}`;
  agent = (email: string): string => `${this.base}/v1/agents/${rawEmail(email)}`;
  groupsOfAgent = (email: string): string => `${this.base}/v1/groups?agent=${encodeURIComponent(email)}`;
  ticketsOfGroup = (id: string): string => `${this.base}/v1/tickets?assigned_group=${id}`;
  agentsOfGroup = (id: string): string => `${this.base}/v1/agents?group=${id}`;
  ticketsOfMailbox = (id: string): string => `${this.base}/v1/tickets?mailbox=${id}`;
  ticketsOfFolder = (id: string): string => `${this.base}/v1/tickets?folder=${id}`;
  attachmentsOfMessage = (id: string): string => `${this.base}/v1/attachments?message=${id}`;
  download = (file: { id: string; accountId: string }): string => {
    if (!this.downloadTokens) throw new Error('These links were made without keys, so they cannot lead to a file');
    return `${this.base}/downloads/${file.id}?pass=${this.downloadTokens.issue(file)}`;
  };
  ticketPage = (number: number): string => `${this.base}/tickets/${number}`;
}

const rawEmail = (email: string): string => encodeURIComponent(email).replaceAll('%40', '@').replaceAll('%2B', '+');

/** A regular expression would backtrack at every slash. */
function withoutSlashAtEnd(url: string): string {
  let { length } = url;
  while (url[length - 1] === '/') length--;
  return url.slice(0, length);
}
