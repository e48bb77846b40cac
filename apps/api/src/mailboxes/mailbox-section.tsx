import type { ComponentChildren } from 'preact';
import { usePageContext } from '../ui/page-context.js';
import { FormAlert } from '../ui/parts/form.js';
import type { MailboxView } from './mailbox.reader.js';

/** Sections of the page with a form of their own. */
export type MailboxSectionName = 'address' | 'imap' | 'signature' | 'smtp' | 'sender-checks' | 'test' | 'removal';

export interface SectionProps extends MailboxView {
  /** The section whose form was refused. What is said and what was typed belongs to it. */
  readonly refused?: MailboxSectionName | undefined;
}

interface MailboxSectionProps {
  readonly title: string;
  readonly isRefused: boolean;
  readonly children: ComponentChildren;
}

/** Fields of several sections have the same names, so what is wrong with them is said above all of them. */
export function MailboxSection({ title, isRefused, children }: MailboxSectionProps) {
  const { faults } = usePageContext().form;
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      {isRefused && <FormAlert />}
      {isRefused && faults.map(({ field, message }) => <p class="fault" key={field}>{`${field}: ${message}`}</p>)}
      {children}
    </section>
  );
}

/** What the fields of a section hold: what was typed, if that was refused, or else what is saved. */
export function useFieldValues<T extends Readonly<Record<string, string>>>(saved: T, isRefused: boolean): T {
  const { values } = usePageContext().form;
  return isRefused ? { ...saved, ...values } : saved;
}
