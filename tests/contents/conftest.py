"""The folder of real documents, as tests of documents have it."""

from tests.documents.conftest import test_data as test_data
