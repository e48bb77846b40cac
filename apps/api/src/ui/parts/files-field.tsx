import { MAX_ATTACHMENTS, MAX_ATTACHMENT_BYTES } from '#libs/entities';

const MIB = 1024 * 1024;

/** The field of the browser, which works without a script. With one, files can be pasted and dropped, and are listed. */
export function FilesField() {
  return (
    <div class="stack">
      <label class="files small">
        <span>Attach files</span>
        <input
          type="file"
          name="files"
          multiple
          class="slim"
          title={`At most ${MAX_ATTACHMENTS} files of ${MAX_ATTACHMENT_BYTES / MIB} MiB`}
        />
      </label>
      <ul class="attachments" data-chosen aria-label="Chosen files" hidden />
    </div>
  );
}
