import type { DeliverySubject } from './delivery-subjects.reader.js';

/** The ticket, the customer or other record that a delivery is about. */
export function SubjectLink({ subject: found }: { subject: DeliverySubject | undefined }) {
  if (!found) return <span class="quiet">no longer kept</span>;
  const { kind, subject, isTest } = found;
  if (isTest) return <span class="quiet">a test</span>;
  const number = /^#(\d+)$/.exec(subject)?.[1];
  if (number) return <a href={`/tickets/${number}`}>{`Ticket ${subject}`}</a>;
  if (kind.startsWith('customer_')) return <a href={`/customers/${encodeURIComponent(subject)}`}>{subject}</a>;
  return <>{subject.length > 60 ? `${subject.slice(0, 60)}…` : subject}</>;
}
