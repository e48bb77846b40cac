import { encodeQR } from 'qr';

/** Modules of white around the code. Scanners need four. */
const QUIET_ZONE = 4;

/** Drawn here, so that the text goes to no other site. It is black on white in every theme, which scanners need. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const { length } = rows;
  return (
    <svg class="qr-code" viewBox={`0 0 ${length} ${length}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={length} height={length} fill="#fff" />
      <path d={rows.flatMap(darkRuns).join('')} fill="#000" />
    </svg>
  );
}

/** One rectangle for each run of dark modules. */
function darkRuns(row: readonly boolean[], y: number): string[] {
  const modules = row.map((isDark) => (isDark ? '1' : '0')).join('');
  return Array.from(modules.matchAll(/1+/g), ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
}
