// For those who draw boards: gallery.html?game=khet&frame=3&eye=0&theme=dark&mini shows one frame of a game that
// tools/frames.py played, and `step` tells the next one. Not part of the build.
import '$lib/look/theme.css';
import { mount } from 'svelte';
import Gallery from './Gallery.svelte';

mount(Gallery, { target: document.getElementById('app')! });
