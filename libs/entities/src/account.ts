import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who cannot do anything without two-factor sign-in. Managers are the owners and admins. */
export const TWO_FACTOR_REQUIREMENTS = ['nobody', 'managers', 'everybody'] as const;
export type TwoFactorRequirement = (typeof TWO_FACTOR_REQUIREMENTS)[number];

export const TWO_FACTOR_REQUIREMENT_WORDS: Readonly<Record<TwoFactorRequirement, string>> = {
  nobody: 'nobody',
  managers: 'owners and admins',
  everybody: 'everybody',
};

/** A tenant. Everything else belongs to exactly one. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  /** The number last given to a ticket; numbers are never reused. */
  @Column('integer', { default: 0 }) lastTicketNumber: number;
  @Column('text', { default: 'nobody' }) twoFactorRequiredFor: TwoFactorRequirement;
  /** How long replies of the console wait, so that their authors can take them back. */
  @Column('integer', { default: 10 }) undoSendSeconds: number;
  /** In which the console shows times to agents who chose no other. */
  @Column('text', { default: 'UTC' }) timeZone: string;
  @Column('timestamptz') createdAt: Date;
}
