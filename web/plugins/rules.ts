// docs/rules/*.md become HTML when the pages are built: the browser loads no parser, and one chunk a game and language.
import { marked } from 'marked';
import type { Plugin } from 'vite';

export function rules(): Plugin {
  return {
    name: 'rules',
    transform(text, id) {
      if (!id.endsWith('.md')) return null;
      const alone = text.replace(/^\*\[.*\]\(\w+\.\w+\.md\)\*$/m, ''); // the page knows its reader's language
      const html = marked
        .parse(alone, { async: false })
        .replace(/<th([^>]*)><\/th>/g, '<td$1></td>') // an empty heading heads nothing
        .replace(/<(pre|table)>/g, '<$1 tabindex="0">'); // what scrolls can have the focus
      return { code: `export default ${JSON.stringify(html)};`, map: null };
    },
  };
}
