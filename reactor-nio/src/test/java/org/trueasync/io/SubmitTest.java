package org.trueasync.io;

class SubmitTest extends SubmitConformance {}
