import { usePageContext } from '../../pages/page-context.js';
import { NoticeBox } from '../../pages/parts/indicators.js';

/** Answers to what was just done. Read out when they appear, and never in the way. */
export function Toasts() {
  const { notice } = usePageContext();
  return (
    <div id="toasts" role="status" aria-live="polite">
      {notice && <NoticeBox tone={notice.tone}>{notice.text}</NoticeBox>}
    </div>
  );
}
