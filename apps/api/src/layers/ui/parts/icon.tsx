import { assetUrl } from '../assets.js';

/** The symbols of `icons.svg`. */
export type IconName =
  | 'at'
  | 'ban'
  | 'bolt'
  | 'box'
  | 'check'
  | 'circle'
  | 'clip'
  | 'clock'
  | 'eye'
  | 'flag'
  | 'gear'
  | 'key'
  | 'leave'
  | 'list'
  | 'mail'
  | 'menu'
  | 'more'
  | 'people'
  | 'person'
  | 'plug'
  | 'plus'
  | 'pulse'
  | 'reply'
  | 'search'
  | 'send'
  | 'shield'
  | 'spark'
  | 'tag'
  | 'trash';

/** Hidden from screen readers: every icon is beside a word or in a named element. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`${assetUrl('icons.svg')}#${name}`} />
  </svg>
);
