import { Column, Entity, PrimaryColumn } from 'typeorm';

/** People who have to use two-factor sign-in. Managers are owners and admins. */
export const TWO_FACTOR_REQUIREMENTS = ['nobody', 'managers', 'everybody'] as const;
export type TwoFactorRequirement = (typeof TWO_FACTOR_REQUIREMENTS)[number];

export const TWO_FACTOR_REQUIREMENT_WORDS: Readonly<Record<TwoFactorRequirement, string>> = {
  nobody: 'no one',
  managers: 'owners and admins',
  everybody: 'everyone',
};

/** A tenant. Every other row belongs to exactly one account. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('integer', { default: 0 }) lastTicketNumber: number;
  @Column('text', { default: 'nobody' }) twoFactorRequiredFor: TwoFactorRequirement;
  /** Delay of replies from the console, during which their author can undo them. */
  @Column('integer', { default: 10 }) undoSendSeconds: number;
  @Column('boolean', { default: false }) assistantsMaySend: boolean;
  /** For agents who have not chosen their own. */
  @Column('text', { default: 'UTC' }) timeZone: string;
  @Column('timestamptz') createdAt: Date;
}
