// Search, the theme, and buttons that copy. Everything else works without it.
const root = document.documentElement.dataset.root;
const language = document.documentElement.lang;
const [none, foundWord, copyWord, copiedWord] = document.documentElement.dataset.words.split('|');

// -- day or night

document.getElementById('theme').addEventListener('click', () => {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    const settings = JSON.parse(localStorage.getItem('quincunx.settings') ?? '{}');
    localStorage.setItem('quincunx.settings', JSON.stringify({ ...settings, theme }));
  } catch {
    /* for this page only */
  }
});

// -- the other language is the reader's from then on, in the games and on the first page, too

document.querySelector('.tools [hreflang]').addEventListener('click', ({ currentTarget }) => {
  try {
    localStorage.setItem('quincunx.language', currentTarget.hreflang);
  } catch {
    /* for this page only */
  }
});

// -- on a server of ours the games are next door

if (/\/docs\/(fr|en)\//.test(location.pathname)) {
  const link = document.createElement('a');
  link.href = `${root}../`;
  link.textContent = language === 'fr' ? 'Jouer' : 'Play';
  document.querySelector('.tools').prepend(link);
}

// -- the menu is closed on narrow screens

const menu = document.querySelector('.menu details');
if (matchMedia('(max-width: 60rem)').matches) menu.open = false;
menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

// -- code can be copied

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copyWord;
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(block.querySelector('pre').textContent);
    button.textContent = copiedWord;
    setTimeout(() => (button.textContent = copyWord), 1500);
  });
  block.append(button);
}

// -- search: every word that was typed must begin a word of what stands below a heading

const box = document.querySelector('[type=search]');
const found = document.getElementById('found');
let rows = null;
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const starts = (text, word) => text.startsWith(word) || text.includes(` ${word}`);

window.quincunxWords = (all) => {
  rows = all.map(([page, title, heading, id, text]) => ({
    page, title, heading, id, text,
    head: fold(`${title} ${heading}`).replace(/[^\p{L}\p{N}]+/gu, ' '),
    body: fold(text).replace(/[^\p{L}\p{N}]+/gu, ' '),
  }));
  look();
};

function load() {
  if (document.getElementById('words')) return;
  const script = document.createElement('script');
  script.id = 'words';
  script.src = `${root}words.${language}.js`;
  document.head.append(script);
}

function worth(row, words) {
  let sum = 0;
  for (const word of words) {
    if (starts(row.head, word)) sum += 10;
    else if (starts(row.body, word)) sum += 1;
    else return 0;
  }
  return sum + (row.heading ? 0 : 2);
}

function excerpt(row, words) {
  const plain = fold(row.text);
  const at = Math.max(0, ...words.map((word) => plain.indexOf(word)));
  const from = Math.max(0, row.text.lastIndexOf(' ', Math.max(0, at - 50)));
  return (from ? '…' : '') + row.text.slice(from, from + 160) + (row.text.length > from + 160 ? '…' : '');
}

function look() {
  const words = fold(box.value).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  found.hidden = !words.length;
  if (!words.length || !rows) return;
  const best = rows
    .map((row) => [worth(row, words), row])
    .filter(([sum]) => sum)
    .sort((a, b) => b[0] - a[0])
    .slice(0, 12);
  found.replaceChildren();
  const heading = document.createElement('h2');
  heading.textContent = best.length ? foundWord : none;
  found.append(heading);
  const list = document.createElement('ul');
  for (const [, row] of best) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = `${root}${row.page}${row.id ? `#${row.id}` : ''}`;
    link.textContent = row.heading ? `${row.title} · ${row.heading}` : row.title;
    const text = document.createElement('p');
    text.textContent = excerpt(row, words);
    item.append(link, text);
    list.append(item);
  }
  found.append(list);
}

box.addEventListener('focus', load);
box.addEventListener('input', () => {
  load();
  look();
});
box.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
found.addEventListener('click', (event) => {
  if (event.target.closest('a')) found.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  } else if (event.key === 'Escape') {
    box.value = '';
    found.hidden = true;
  }
});
