const PATHS = {
  ban: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M3.8 3.8l8.4 8.4',
  bolt: 'M9 1.5 3 9h4l-.5 5.5L13 7H9z',
  box: 'M2 9.5h3.2l1 2h3.6l1-2H14M2 9.5v4h12v-4M2 9.5 4.2 3h7.6L14 9.5',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  circle: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2',
  clip: 'M12.5 7.2 7.6 12a3 3 0 0 1-4.3-4.2l5.3-5.2a2 2 0 0 1 2.9 2.8L6.4 10.500a1 1 0 0 1-1.400-1.400L9.400 4.900',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.5V8l2.5 1.5',
  flag: 'M3.5 14V2.5h9l-2 3 2 3h-9',
  gear: 'M8 5.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4',
  key: 'M5.5 7.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M7.7 8.3 13.5 2.5M11 5l2 2M9.5 6.5 11 8',
  leave: 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  list: 'M5.5 4H14M5.5 8H14M5.5 12H14M2.2 4h.1M2.2 8h.1M2.2 12h.1',
  mail: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5c.3-2.8 2-4.3 4.5-4.3s4.2 1.5 4.5 4.3M10.5 2.8a2.4 2.4 0 0 1 0 4.5M12 9.6c1.5.6 2.3 1.9 2.5 3.9',
  person: 'M8 7.8a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8M2.5 14c.4-3 2.4-4.5 5.5-4.5s5.1 1.5 5.5 4.5',
  plug: 'M5.5 1.5v3.5M10.5 1.5v3.5M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  plus: 'M8 3v10M3 8h10',
  pulse: 'M1.5 8.5h3l2-5.5 3 10 2-4.5h3',
  reply: 'M6 3.5 2 7.5l4 4M2 7.5h7.5a4.5 4.5 0 0 1 4.5 5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4l3.6 3.6',
  send: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.5z',
  shield: 'M8 1.8 13 3.5V8c0 3.1-2.1 5.2-5 6.3C5.1 13.2 3 11.1 3 8V3.5z',
  spark: 'M8 1.5 9.6 6.4 14.5 8 9.6 9.6 8 14.5 6.4 9.6 1.5 8 6.4 6.4z',
  tag: 'M2.5 2.5h5l6.3 6.3-5 5L2.5 7.5zM5.3 5.3h.1',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 6.7v4.1M9.3 6.7v4.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Hidden from screen readers: every icon is beside a word or in a named element. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
